import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type {
  Diagnostic,
  Fix,
} from "../../generator/diagnostics/diagnostic.js";
import { checkDocuments } from "../support/check-documents.js";

type Texts = ReadonlyMap<string, string>;

function check(texts: Texts): readonly Diagnostic[] {
  const entries = [...texts.keys()].filter((path) => path.startsWith("input"));
  const read = (path: string) => texts.get(path) ?? null;
  return checkDocuments(entries, { read }).diagnostics;
}

function fixesOf(texts: Texts): readonly Fix[] {
  return check(texts).flatMap(({ fix }) => fix ?? []);
}

/** Applies all non-overlapping fixes, from last to first. */
function applyFixes(texts: Texts): Texts {
  const fixed = new Map(texts);
  const ends = new Map<string, number>();
  const fixes = [...fixesOf(texts)].sort(
    (a, b) => b.location.span.start - a.location.span.start,
  );
  for (const { location, replacement } of fixes) {
    const { path } = location.source;
    const { start, end } = location.span;
    const text = fixed.get(path) ?? "";
    if (end > (ends.get(path) ?? Infinity)) continue;
    ends.set(path, start);
    fixed.set(path, text.slice(0, start) + replacement + text.slice(end));
  }
  return fixed;
}

/** Returns the document after its fixes have been applied. */
function fixDocument(text: string): string {
  const fixed = applyFixes(new Map([["input.ridl", text]]));
  return fixed.get("input.ridl") ?? "";
}

function count(list: readonly Diagnostic[], codes: Set<string>): number {
  return list.filter(({ code }) => codes.has(code)).length;
}

const root = join(import.meta.dirname, "../diagnostics");
const cases = readdirSync(root).filter((name) =>
  statSync(join(root, name)).isDirectory(),
);

describe.each(cases)("the case for %s", (code) => {
  test("has no fixable findings after its fixes are applied", () => {
    const folder = join(root, code);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const texts = new Map(
      names
        .filter((name) => /\.(ridl|json|yaml)$/.test(name))
        .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
    const before = check(texts);
    const fixable = before.filter(({ fix }) => fix !== undefined);
    const after = check(applyFixes(texts));
    expect(after.filter(({ fix }) => fix !== undefined)).toEqual([]);
    const codes = new Set(fixable.map((each) => each.code));
    const left = before.filter(({ fix }) => fix === undefined);
    expect(count(after, codes)).toBe(count(left, codes));
  });
});

const head = "webrpc = v1\nname = a\nversion = v1\n";

test.each([
  ["a type", "struct A\n  - a: strng\n", "struct A\n  - a: string\n"],
  ["a type with the wrong letter case", "type A: String\n", "type A: string\n"],
  [
    "an error of a method",
    'error 1 Lost "lost"\nservice A\n  - B() errors Lots\n',
    'error 1 Lost "lost"\nservice A\n  - B() errors Lost\n',
  ],
  [
    "a metadata key",
    "struct A\n  - a: string\n    + maxLenght = 5\n",
    "struct A\n  - a: string\n    + maxLength = 5\n",
  ],
  [
    "an annotation",
    "service A\n  @readnly\n  - B()\n",
    "service A\n  @readonly\n  - B()\n",
  ],
  ["the type of an enum", "enum A: strin\n  - B\n", "enum A: string\n  - B\n"],
  [
    "known values",
    "enum Known: string\n  - B\ntype A: string\n  + known = Konwn\n",
    "enum Known: string\n  - B\ntype A: string\n  + known = Known\n",
  ],
  [
    "a format",
    "struct A\n  - a: string\n    + format = url\n",
    "struct A\n  - a: string\n    + format = uri\n",
  ],
  [
    "the kind of an origin",
    "# origin: statd 4\nstruct A\n",
    "# origin: stated 4\nstruct A\n",
  ],
  [
    "a duplicate annotation",
    "service A\n  @internal @internal # c\n  - B()\n",
    "service A\n  @internal # c\n  - B()\n",
  ],
  [
    "a duplicate annotation on another line",
    'service A\n  @a:"b"\n  @internal\n  @a:b\n  - B()\n',
    'service A\n  @a:"b"\n  @internal\n  - B()\n',
  ],
  [
    "an annotation before a method on its line",
    "service A\n  @internal\n  @internal - B()\n",
    "service A\n  @internal\n  - B()\n",
  ],
  [
    "duplicate metadata",
    "struct A\n  - a: string\n    + json = b\n    + json = c\n",
    "struct A\n  - a: string\n    + json = c\n",
  ],
  ["a duplicate header", "name = a\n", ""],
])("fixes %s", (_name, text, expected) => {
  expect(fixDocument(head + text)).toBe(head + expected);
});

test("fixes a document that lacks its first line", () => {
  expect(fixDocument("# A.\nstruct A\n")).toBe("webrpc = v1\n# A.\nstruct A\n");
});

test("fixes JSON and YAML in place", () => {
  const json = (type: string) =>
    `{"webrpc":"v1","types":[{"kind":"struct","name":"A","fields":[{"name":"a","type":"${type}"}]}]}`;
  const texts = new Map([["input.json", json("[]strng")]]);
  expect(applyFixes(texts).get("input.json")).toBe(json("[]string"));
});

test.each([
  [
    "two names are equally similar",
    "struct Item\nstruct Items\nstruct A\n  - a: Itemz\n",
  ],
  ["annotations contradict each other", "service A\n  @a:b\n  @a:c\n  - B()\n"],
  ["a header has two values", "name = b\n"],
  [
    "a comment would be orphaned",
    "struct A\n  - a: string\n    + json = b # c\n    + json = c\n",
  ],
])("offers no fix if the fix is uncertain: %s", (_name, text) => {
  const texts = new Map([["input.ridl", head + text]]);
  expect(check(texts).length).toBeGreaterThan(0);
  expect(fixesOf(texts)).toEqual([]);
});
