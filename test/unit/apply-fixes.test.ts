import { describe, expect, test } from "vitest";
import { applyFixes } from "../../cli/project/fix-documents.js";
import type { Fix } from "../../generator/diagnostics/diagnostic.js";

const fix = (start: number, end: number, replacement: string): Fix => ({
  location: { source: { path: "a.ridl", text: "" }, span: { start, end } },
  replacement,
});

describe("applyFixes", () => {
  test("replaces, removes, and inserts, in any order", () => {
    const fixes = [fix(8, 8, "!"), fix(0, 1, "A"), fix(3, 5, "")];
    expect(applyFixes("abcdefgh", fixes)).toBe("Abcfgh!");
  });

  test("skips fixes that overlap an earlier one", () => {
    const fixes = [
      fix(2, 4, "X"),
      fix(3, 5, "Y"),
      fix(4, 4, "Z"),
      fix(5, 6, ""),
    ];
    expect(applyFixes("abcdefgh", fixes)).toBe("abXegh");
  });

  test("inserts text once at each position, including the start", () => {
    expect(applyFixes("ab", [fix(0, 0, "x"), fix(0, 0, "y")])).toBe("xab");
  });

  test("uses the line endings of the text", () => {
    expect(applyFixes("a\nb", [fix(1, 1, "\n")])).toBe("a\n\nb");
    expect(applyFixes("a\r\nb", [fix(1, 1, "\n")])).toBe("a\r\n\r\nb");
  });

  test("does nothing without fixes", () => {
    expect(applyFixes("ab", [])).toBe("ab");
  });
});
