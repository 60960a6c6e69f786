import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printDocument } from "../../generator/1-parse/print.js";
import { anyDocument, anyText } from "./arbitrary.js";
import { findings, format, parse, withoutSpans } from "./compact.js";

const repository = join(import.meta.dirname, "../..");

const formatted: Record<string, [before: string, after: string]> = {
  "an empty document stays empty": ["", ""],
  "errors are aligned, even with blank lines and comments between them": [
    'error 1 A "a" HTTP 404 # c\nerror 1000 LongName "漢字 text"\n# between\nerror 20 B "b" HTTP 500\n\nerror 3 C c',
    'error 1    A        "a"         HTTP 404 # c\nerror 1000 LongName "漢字 text"\n# between\nerror 20   B        "b"         HTTP 500\n\nerror 3    C        c\n',
  ],
  "members are indented": [
    'struct A\n- a:string\n    +json=b\n\t- c ? : map< string , []int >\nenum K:int\n-A=1\nservice S\n@x\n  @y:"z"\n-M(a:int |b:int)=>()errors X|Y',
    'struct A\n  - a: string\n    + json = b\n  - c?: map<string,[]int>\nenum K: int\n  - A = 1\nservice S\n  @x\n  @y:"z"\n  - M(a: int, b: int) => () errors X | Y\n',
  ],
  "several blank lines become one, or none at the start and end": [
    "\n\nname = x\n\n\n\nstruct A\n\n\n  - a: int\n\n",
    "name = x\n\nstruct A\n\n  - a: int\n",
  ],
  "comments stay in place": [
    "#first\nname = x   # one\n\n   # two\nstruct A # three\n# four\n  - a: int # five\n    # six\n    + json = b # seven\n  # eight\n\n# nine\n",
    "#first\nname = x # one\n\n  # two\nstruct A # three\n  # four\n  - a: int # five\n    # six\n    + json = b # seven\n  # eight\n\n# nine\n",
  ],
  "imports keep their form": [
    "import # a\n- x.ridl\n  # b\n- ./y.ridl # c\nimport z.ridl\n- M # d",
    "import # a\n  - x.ridl\n  # b\n  - ./y.ridl # c\nimport z.ridl\n  - M # d\n",
  ],
  "one line is split into several": [
    "struct A - a: int + json = x - b: int # about b\n@x struct B",
    "struct A\n  - a: int\n    + json = x\n  - b: int # about b\n@x\nstruct B\n",
  ],
  "a comment after metadata stays with the field": [
    "struct A - a: int + json = x # about a",
    "struct A\n  - a: int # about a\n    + json = x\n",
  ],
  "CRLF becomes LF, and trailing white space is removed": [
    "struct A # c  \r\n  - a: int  \r\n",
    "struct A # c\n  - a: int\n",
  ],
  "an empty import is removed, and its comment does not become a doc comment": [
    "import # c\nstruct A",
    "# c\n\nstruct A\n",
  ],
};

describe("formatting", () => {
  test.each(Object.entries(formatted))("%s", (_name, [before, after]) => {
    expect(format(before)).toBe(after);
    expect(format(after)).toBe(after);
  });
});

/** The RIDL files in these folders. The test skips invalid ones. */
const files = ["schema", "examples", "test"].flatMap((folder) => {
  if (!existsSync(join(repository, folder))) return [];
  const path = join(repository, folder);
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ridl"))
    .map((name) => join(path, name));
});

test("formatting preserves the meaning of every valid file in `schema`, `examples`, and `test`", () => {
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    const before = parse(readFileSync(file, "utf8"), file);
    if (before.diagnostics.some(({ severity }) => severity === "error"))
      continue;
    const once = printDocument(before.value);
    const after = parse(once, file).value;
    expect(withoutSpans(after)).toEqual(withoutSpans(before.value));
    expect(commentsOf(after)).toEqual(commentsOf(before.value));
    expect(printDocument(after)).toBe(once);
  }
});

describe("every document", () => {
  test("is printed as text that parses to the same tree", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = printDocument(document);
        expect(findings(text)).toEqual([]);
        const tree = withoutSpans(parse(text).value);
        expect(tree).toEqual(withoutSpans(document));
      }),
      { numRuns: 300 },
    );
  });

  test("keeps its tree and comments when it is formatted, and does not change when it is formatted again", () => {
    fc.assert(
      fc.property(anyText(printDocument), (text) => {
        const before = parse(text).value;
        const once = format(text);
        const after = parse(once).value;
        expect(withoutSpans(after)).toEqual(withoutSpans(before));
        expect(commentsOf(after)).toEqual(commentsOf(before));
        expect(format(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });
});

/** Parts of documents that can share a line. */
const parts = fc.constantFrom(
  ...["struct A", "  - a: string", "  - b: int", "    + json = x"],
  ...["enum E: string", "  - X", "  - Y = z", 'error 1 Err "m"'],
  ...["service S", "  - M()", "  - N(A) => (A)", "  @readonly"],
  ...["type T: string", "    + x.y = z", "name = a", "import b.ridl"],
  ...["# c1", "# c2", "  # c3", "#! private", ""],
);

test("comments stay with their declarations if several share a line", () => {
  const text = fc
    .array(fc.tuple(parts, fc.constantFrom("\n", "\n", " ")), { maxLength: 8 })
    .map((list) => list.flat().join(""));
  fc.assert(
    fc.property(text, (each) => {
      const before = parse(each);
      // The formatter removes annotations that belong to nothing.
      const isLossy = before.diagnostics.some(
        ({ code, severity }) =>
          severity === "error" || code === "dangling-annotation",
      );
      if (isLossy) return;
      const after = parse(printDocument(before.value)).value;
      expect(withoutSpans(after)).toEqual(withoutSpans(before.value));
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  [
    "type T: string\n# about nothing\n    + x.y = z service S",
    "type T: string\n  # about nothing\n  + x.y = z\nservice S\n",
  ],
  [
    "struct A @readonly # about S\nservice S",
    "struct A\n@readonly # about S\nservice S\n",
  ],
])("the comments of %j stay in place", (before, after) => {
  expect(format(before)).toBe(after);
  expect(withoutSpans(parse(after).value)).toEqual(
    withoutSpans(parse(before).value),
  );
});

function commentsOf({ comments }: ReturnType<typeof parse>["value"]): string[] {
  return comments.map(({ text }) => text.trimEnd()).sort();
}
