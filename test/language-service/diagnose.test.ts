import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawSome } from "../support/draw-some.js";
import { checkAll, diagnoseAll, openMarked } from "./support/marked.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n";
const folder = join(import.meta.dirname, "../diagnostics");

/** The documents of every diagnostic's test case. */
const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  if (!entry.isDirectory()) return [];
  const files = readdirSync(join(folder, entry.name)).filter((name) =>
    name.endsWith(".ridl"),
  );
  const read = (name: string): string =>
    readFileSync(join(folder, entry.name, name), "utf8");
  return [new Map(files.map((name) => [name, read(name)]))];
});

const isError = ({ severity }: { readonly severity: string }): boolean =>
  severity === "error";

test("reports the same diagnostics as ridl check for every test case", () => {
  expect(cases.length).toBeGreaterThan(100);
  for (const texts of cases) {
    const [path = ""] = texts.keys();
    const { service } = openMarked(
      {},
      {
        entries: [path],
        reader: { read: (each) => texts.get(each) ?? null },
      },
    );
    const early = new Map(
      [...texts.keys()].map((each) => [each, service.diagnoseEarly(each)]),
    );
    expect(diagnoseAll(service)).toEqual(checkAll(texts, [path]));
    // Early diagnostics stay unless errors in the contract as a whole hide
    // advice.
    const all = service.diagnoseAll();
    const isFaulty = all.some(({ diagnostics }) => diagnostics.some(isError));
    for (const { diagnostics, path: each } of all) {
      const shown = early.get(each) ?? [];
      const kept = isFaulty ? shown.filter(isError) : shown;
      expect(diagnostics).toEqual(expect.arrayContaining([...kept]));
    }
  }
});

test("reports the same diagnostics as ridl check after edits to fields and methods", () => {
  const member = /^ +- \w+(\?|: |\().*\n/gmu;
  for (const texts of drawSome(cases, 12)) {
    const { service } = openMarked(Object.fromEntries(texts));
    service.diagnoseAll();
    for (const [path, text] of texts) {
      for (const { 0: line, index } of text.matchAll(member)) {
        const without = text.slice(0, index) + text.slice(index + line.length);
        for (const each of [without, text]) {
          service.setDocument(path, each);
          const now = new Map(texts).set(path, each);
          expect(diagnoseAll(service), each).toEqual(checkAll(now));
        }
      }
    }
  }
});

test("reports a fault that an edit causes in another document", () => {
  const { service } = openMarked({
    "a.ridl": `${head}import "b.ridl"\nstruct A\n  - b: B\n`,
    "b.ridl": "webrpc = v1\nstruct B\n  - id: uint32\n",
  });
  expect(service.diagnose("a.ridl")).toEqual([]);
  service.setDocument("b.ridl", "webrpc = v1\nstruct C\n  - id: uint32\n");
  const [found] = service.diagnose("a.ridl");
  expect(found?.code).toBe("unknown-type");
  service.closeDocument("b.ridl");
  expect(service.diagnose("a.ridl").map(({ code }) => code)).toEqual([
    "missing-file",
  ]);
});

test("finds a cycle that an edit to one struct completes", () => {
  const text = `${head}struct A\n  - b: B\n\nstruct B\n  - a: string\n`;
  const { service } = openMarked({ "a.ridl": text });
  expect(service.diagnose("a.ridl")).toEqual([]);
  service.setDocument("a.ridl", text.replace("string", "A"));
  const codes = service.diagnose("a.ridl").map(({ code }) => code);
  expect(codes).toEqual(["infinite-struct"]);
});

test("keeps findings about declarations that an edit did not change", () => {
  const text = `${head}struct A\n  - a: string\n\n# About B.\nstruct B\n  - b: Missing\n`;
  const { service, textAt } = openMarked({ "a.ridl": text });
  const [before] = service.diagnose("a.ridl");
  const longer = text.replace("a: string", "name: uint32");
  service.setDocument("a.ridl", longer);
  const [after] = service.diagnose("a.ridl");
  expect(before && textAt({ path: "a.ridl", span: before.span })).toBe(
    "Missing",
  );
  expect(after && longer.slice(after.span.start, after.span.end)).toBe(
    "Missing",
  );
});

test("reports advice about a type once, however many declarations refer to it", () => {
  const item = `struct Item\n  - id: Id\n`;
  const text = `${head}\ntype Id: uint64\n${item}\nstruct Other\n  - id: Id\n`;
  const { service } = openMarked({ "a.ridl": text });
  service.diagnose("a.ridl");
  const edited = text.replace("id: Id", "key: Id");
  service.setDocument("a.ridl", edited);
  const codes = service.diagnose("a.ridl").map(({ code }) => code);
  expect(codes.filter((code) => code === "int64-unsafe")).toHaveLength(1);
});

test("updates advice about a field when a limit of its type changes", () => {
  const text = `${head}\ntype Id: uint32\n  + maximum = 9\n\nstruct A\n  - id: Id\n    + example = 7\n`;
  const { service } = openMarked({ "a.ridl": text });
  const codes = () => service.diagnose("a.ridl").map(({ code }) => code);
  expect(codes()).not.toContain("example-invalid");
  service.setDocument("a.ridl", text.replace("maximum = 9", "maximum = 5"));
  expect(codes()).toContain("example-invalid");
  service.setDocument("a.ridl", text);
  expect(codes()).not.toContain("example-invalid");
});

test("keeps advice about documents that an error cannot affect", () => {
  const types = `${head}struct A\n  - a: []string\n`;
  const service = `\nservice S\n  - Get(A)\n`;
  const sound = `${types}${service}`;
  const marked = openMarked({
    "a.ridl": sound,
    "b.ridl": sound
      .replaceAll("shop", "other")
      .replaceAll(/\b([AS])\b/gu, "$1b"),
  });
  const codesIn = (path: string) =>
    marked.service.diagnose(path).map(({ code }) => code);
  expect(codesIn("a.ridl")).toContain("unbounded-list");
  marked.service.setDocument("b.ridl", sound.replace("string", "Missing"));
  expect(codesIn("b.ridl")).not.toContain("unbounded-list");
  expect(codesIn("a.ridl")).toContain("unbounded-list");
});

test("provides early diagnostics after reading only a document and its imports", () => {
  const read: string[] = [];
  const { service } = openMarked(
    { "a.ridl": `${head}import "b.ridl"\nstruct A\n  - b: Missing\n` },
    {
      entries: ["a.ridl", "other.ridl"],
      reader: {
        read: (path) => {
          read.push(path);
          return path === "b.ridl" ? "webrpc = v1\n" : null;
        },
      },
    },
  );
  const codes = service.diagnoseEarly("a.ridl").map(({ code }) => code);
  expect(codes).toEqual(["unknown-type"]);
  expect(read).toEqual(["b.ridl"]);
});

test("returns related locations and fixes as plain data", () => {
  const { service, textAt } = openMarked({
    "a.ridl": `${head}struct A\n  - b: strin\n  - b: string\n`,
  });
  const found = structuredClone(service.diagnose("a.ridl"));
  const fixes = found.flatMap(({ fix }) => fix ?? []);
  expect(fixes.map(({ edit }) => edit.replacement)).toEqual(["string"]);
  const related = found.flatMap((each) => each.related);
  expect(related.map(({ place }) => textAt(place))).toEqual(["b"]);
});

test("reports the uses of a struct once it is deprecated", () => {
  const text = `${head}\nstruct A\n  - id: uint32\n\nstruct C\n  - a: A\n\nservice S\n  - Get(c: C)\n`;
  const { service } = openMarked({ "a.ridl": text });
  const helps = (): readonly (string | undefined)[] =>
    service
      .diagnoseEarly("a.ridl")
      .filter(({ code }) => code === "deprecated-used")
      .map(({ help }) => help);
  expect(helps()).toEqual([]);
  service.setDocument(
    "a.ridl",
    text.replace("struct A", '@deprecated:"use B"\nstruct A'),
  );
  expect(helps()).toEqual(["use B"]);
});

test("finds what a thousand other warnings hid before a change", () => {
  const values = Array.from({ length: 1001 }, (_, i) => `- A${i} = -${i}\n`);
  const imports = ["b", "c", "d", "e"].map((each) => `import "${each}"\n`);
  const rest = `${imports.join("")}enum E: int32\n${values.join("")}\nservice S\n- A()\n@later\n`;
  const { service } = openMarked({ "a.ridl": `${head}@early\n${rest}` });
  const countDangling = (): number =>
    diagnoseAll(service).filter((each) => each.endsWith("dangling-annotation"))
      .length;
  expect(countDangling()).toBe(1);
  service.setDocument("a.ridl", head + rest);
  expect(countDangling()).toBe(1);
});

test("separately checks open documents that are not listed", () => {
  const { service } = openMarked(
    {
      "a.ridl": `${head}struct A\n  - id: uint32\n`,
      "b.ridl": `${head}struct A\n  - id: uint32\n  - x: Y\n`,
    },
    { entries: [] },
  );
  expect(diagnoseAll(service).map((each) => each.split(" ").at(-1))).toEqual([
    "unknown-type",
  ]);
});

test("reports a missing listed document at its own path", () => {
  const { service } = openMarked({}, { entries: ["gone.ridl"] });
  expect(diagnoseAll(service)).toEqual(["gone.ridl 0-0 missing-file"]);
});
