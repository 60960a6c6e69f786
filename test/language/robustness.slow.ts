import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../tools/test/code-point.js";
import { isLong, isSample } from "../support/draw-some.js";
import { readFixtures, runPipeline } from "./pipeline.js";

const fixtures = readFixtures();
const ridl = fixtures.filter(({ path }) => path.endsWith(".ridl"));
const forms = fixtures.filter(({ path }) => !path.endsWith(".ridl"));

test("there are enough documents to change", () => {
  expect(ridl.length).toBeGreaterThan(100);
  expect(forms.length).toBeGreaterThan(3);
});

/** Text that a typo or a disk error could insert. */
const scrap = fc.oneof(
  fc.constantFrom(
    ..."-+@=:?|.,/\\\"'#!()[]<>{}; \t\n\r\0".split(""),
    ...[
      "=>",
      "[]",
      "map<",
      "stream ",
      "errors ",
      "\ufeff",
      "\ud800",
      "é",
      "🎉",
    ],
    ...["- a: int\n", "  + json = ", "@auth:", "struct A\n", '"', "\r\n"],
  ),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

interface Edit {
  readonly at: number;
  readonly take: number;
  readonly put: string;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({ at: fc.nat(), take: fc.nat(12), put: scrap }),
  { minLength: 1, maxLength: 4 },
);

function applyEdits(text: string, list: readonly Edit[]): string {
  let changed = text;
  for (const { at, take, put } of list) {
    const start = at % (changed.length + 1);
    changed = changed.slice(0, start) + put + changed.slice(start + take);
  }
  return changed;
}

/**
 * Runs all stages on an edited document from the repository and its imports.
 */
function expectSurvives(
  { path, text }: { readonly path: string; readonly text: string },
  list: readonly Edit[],
): void {
  const name = `host${extname(path)}`;
  const changed = applyEdits(text, list);
  runPipeline(new Map([[name, changed], ...importable]));
}

/** The documents that fixtures import, by name. */
const importable = ridl
  .filter(({ path }) => path.startsWith("schema"))
  .map(({ path, text }) => [path.replace(/^schema\//u, ""), text] as const)
  .filter(([name]) => ["common.ridl", "errors.ridl"].includes(name));

describe("robustness of all stages", () => {
  test("no stage throws on random bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(".ridl", ".json", ".yaml"),
        (bytes, ending) => {
          const text = Buffer.from(bytes).toString("utf8");
          runPipeline(new Map([[`host${ending}`, text]]));
          const head = "webrpc = v1\nversion = v1\nname = a\n";
          runPipeline(new Map([["host.ridl", head + text]]));
        },
      ),
      { numRuns: 200 },
    );
  });

  test("no stage throws on modified documents", () => {
    fc.assert(fc.property(fc.constantFrom(...ridl), edits, expectSurvives), {
      numRuns: 120,
    });
  });

  test("no stage throws on modified JSON and YAML", () => {
    fc.assert(fc.property(fc.constantFrom(...forms), edits, expectSurvives), {
      numRuns: 80,
    });
  });

  test("no stage throws on documents assembled from lines of others", () => {
    const lines = ridl.flatMap(({ text }) => text.split("\n"));
    const kept = fc.array(fc.constantFrom(...lines), { maxLength: 25 });
    fc.assert(
      fc.property(kept, (list) => {
        const text = `webrpc = v1\nversion = v1\n${list.join("\n")}`;
        runPipeline(new Map([["host.ridl", text], ...importable]));
      }),
      { numRuns: 120 },
    );
  });
});

describe("no stage throws on inputs that once caused failures", () => {
  const folder = join(import.meta.dirname, "regressions");
  const names = readdirSync(folder).filter((name) => name !== "README.md");
  test.each(names)("%s", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    runPipeline(new Map([[`host${extname(name)}`, text]]));
  });
});

describe("large inputs", () => {
  const length = isSample ? 2_000_000 : isLong ? 10_000_000 : 100_000;

  test.each([
    ["a long name", "struct A", "a", "\n  - a: int\n"],
    ["a long string", 'error 1 A "', "é", '"\n'],
    ["an unterminated string", 'error 1 A "', "a ", ""],
    ["a long comment", "# ", "a b # ", "\nstruct A\n"],
    ["a long list of arguments", "service S\n  - M(", "a: int, ", ")\n"],
    ["a long value", "struct A\n  - a: int\n    + x = ", "a#b,", "\n"],
    ["a line of fields", "struct A ", "- a: int ", "\n"],
    ["a line of wide characters", "struct A\n  - a: ", "漢", "\n"],
    ["a deep type", "struct A\n  - a: ", "[]map<string,", "int\n"],
    ["a chain of annotations", "service S\n  ", '@a:"b" ', "- M()\n"],
    ["blank lines", "struct A\n", "\n", "  - a: int\n"],
  ])("%s", (_name, before, unit, after) => {
    const middle = unit.repeat(Math.ceil(length / unit.length));
    const text = `webrpc = v1\nversion = v1\n${before}${middle}${after}`;
    runPipeline(new Map([["host.ridl", text]]));
  });

  test.each([
    ["nested JSON lists", ".json", '{"a":', "["],
    ["nested JSON objects", ".json", "", '{"a":'],
    ["a long JSON string", ".json", '{"name": "', "a"],
    ["many lines of YAML", ".yaml", "a:\n", "  - b\n"],
    ["deep indentation in YAML", ".yaml", "a:\n", "   "],
    ["nested YAML lists", ".yaml", "", "- "],
  ])("%s", (_name, ending, before, unit) => {
    const text = before + unit.repeat(Math.ceil(length / 20 / unit.length));
    runPipeline(new Map([[`host${ending}`, text]]));
  });

  test("handles many documents that import each other in a chain", () => {
    // Each document sees the declarations of all later ones, so the cost is
    // quadratic.
    const count = isSample ? 2000 : isLong ? 4000 : 400;
    const files = Array.from({ length: count }, (_, index) => {
      const next = `import d${index + 1}.ridl\n`;
      return [
        `d${index}.ridl`,
        `webrpc = v1\n${index + 1 < count ? next : ""}struct S${index}\n`,
      ] as const;
    });
    expect(runPipeline(new Map(files))).toBe("emitted");
  });

  test("handles many types in a chain", () => {
    // Emitters follow each alias to its end, so the cost is quadratic.
    const count = isSample ? 2500 : isLong ? 5000 : 500;
    const lines = Array.from({ length: count }, (_, index) =>
      index + 1 < count
        ? `type T${index}: T${index + 1}\nstruct S${index}\n  - s: S${index + 1}\n`
        : `type T${index}: int\nstruct S${index}\n  - t: T0\n`,
    );
    const text = `webrpc = v1\nname = a\n${lines.join("")}`;
    const nested = text.replaceAll(": T", ": []T");
    expect(runPipeline(new Map([["host.ridl", text]]))).toBe("emitted");
    expect(runPipeline(new Map([["host.ridl", nested]]))).toBe("refused");
  });
});
