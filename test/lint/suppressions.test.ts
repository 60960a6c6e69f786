import { describe, expect, test } from "vitest";
import { lintText, placesOf } from "./lint-text.js";

const head = "webrpc = v1\nversion = v0.0.1\n\n";
const ignore = "#! ridl-ignore unbounded-list for a reason";

/** Returns the locations of the findings in a document with these lines. */
function withLists(...lines: readonly string[]): string[] {
  return placesOf(lintText(head + lines.join("\n") + "\n"));
}

describe("a comment that silences findings", () => {
  test.each([
    ["the field below", ["struct Q", `  ${ignore}`, "  - a: []string"]],
    ["the field before it", ["struct Q", `  - a: []string ${ignore}`]],
    [
      "the field with metadata before it",
      ["struct Q", "  - a: []string", `    + minItems = 1 ${ignore}`],
    ],
    ["the whole struct below", [ignore, "struct Q", "  - a: []string"]],
    [
      "the declaration after a blank line and docs",
      ["struct Q", `  ${ignore}`, "", "  # Docs.", "  - a: []string"],
    ],
    [
      "the declaration after annotations",
      ["struct Q", `  ${ignore}`, "  @a.x", "  - a: []string"],
    ],
    [
      "the next declaration, after its annotations",
      ["struct Q", "  @a.x", `  ${ignore}`, "  - a: []string"],
    ],
    [
      "the declaration below, at the end of annotations",
      ["struct Q", `  @a.x ${ignore}`, "  - a: []string"],
    ],
    [
      "the field before a comment with several spaces",
      ["struct Q", `  - a: []string #!   ridl-ignore   unbounded-list   x`],
    ],
  ])("silences %s", (_, lines) => {
    const service = ["", "service S", "  - M(Q) => (Q)"];
    expect(withLists(...lines, ...service)).toEqual([]);
  });

  test("silences a method and its arguments", () => {
    const lines = ["service S", `  ${ignore}`, "  - M(a: []string)"];
    expect(withLists(...lines)).toEqual([]);
  });

  test("silences the whole document if it precedes a header", () => {
    const text = `${ignore}\nwebrpc = v1\nversion = v0.0.1\n\nservice S\n  - M(a: []string)\n  - N(a: []string)\n`;
    expect(placesOf(lintText(text))).toEqual([]);
  });

  test("silences only findings in its own document", () => {
    const texts = {
      "a.ridl": `${ignore}\nwebrpc = v1\nversion = v0.0.1\nimport "b.ridl"\n\nservice S\n  - M(Q) => (Q)\n  - N(a: []string)\n`,
      "b.ridl": "webrpc = v1\n\nstruct Q\n  - a: []string\n",
    };
    expect(placesOf(lintText(texts))).toEqual(["unbounded-list@4"]);
  });

  test("silences an import", () => {
    const texts = {
      "a.ridl": `${head}#! ridl-ignore import-used soon\nimport "b.ridl"\n\nservice S\n  - M()\n`,
      "b.ridl": "webrpc = v1\n\nstruct Q\n  - a: string\n",
    };
    expect(placesOf(lintText(texts))).toEqual([]);
  });

  test("silences warnings of the check stage", () => {
    const enumeration = "enum E: string\n  - a = x\n";
    const again = "  - b = x";
    const reason = "#! ridl-ignore duplicate-enum-value an old name";
    expect(placesOf(lintText(`${head}${enumeration}${again}\n`))).toEqual([
      "duplicate-enum-value@6",
    ]);
    expect(
      placesOf(lintText(`${head}${enumeration}${again} ${reason}\n`)),
    ).toEqual([]);
  });

  test("silences warnings of the check stage in a document with errors", () => {
    const reason = "#! ridl-ignore duplicate-enum-value an old name";
    const text = `${head}enum E: string\n  - a = x\n  - b = x ${reason}\n\nstruct A\n  - b: Nope\n`;
    expect(placesOf(lintText(text))).toEqual(["unknown-type@9"]);
  });

  test("silences findings of a rule that is set to error", () => {
    const text = `${head}service S\n  - M(a: []string) ${ignore}\n`;
    const rules = { "unbounded-list": "error" } as const;
    expect(placesOf(lintText(text, { rules }))).toEqual([]);
  });
});

describe("a `ridl-ignore` comment", () => {
  test("does not silence later declarations", () => {
    const lines = [
      "struct Q",
      `  ${ignore}`,
      "  - a: []string",
      "  - b: []string",
      "",
      "service S",
      "  - M(Q) => (Q)",
    ];
    expect(withLists(...lines)).toEqual(["unbounded-list@7"]);
  });

  test("does not silence findings if it is a doc comment", () => {
    const lines = [
      "service S",
      "  # ridl-ignore unbounded-list x",
      "  - M(a: []string)",
    ];
    expect(withLists(...lines)).toEqual(["unbounded-list@6"]);
  });

  test("does not silence errors of the check stage", () => {
    const text = `${head}struct A\n  - b: Nope #! ridl-ignore unknown-type x\n`;
    expect(placesOf(lintText(text))).toEqual(["unknown-type@5"]);
  });
});

describe("a comment about a disabled rule", () => {
  test("is not reported as unused", () => {
    const lines = "struct Q\n  - a: string #! ridl-ignore unbounded-list x\n";
    const rules = { "unbounded-list": "off" } as const;
    expect(placesOf(lintText(head + lines, { rules }))).toEqual([]);
    expect(placesOf(lintText(head + lines))).toEqual(["suppression-unused@5"]);
  });
});
