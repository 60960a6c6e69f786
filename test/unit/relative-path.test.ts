import { expect, test } from "vitest";
import { relativePath } from "../../generator/source/relative-path.js";
import { relativeSpecifier } from "../../tools/implement/import-names.js";

test.each([
  ["schema/api.ridl", "schema/common.ridl", "common.ridl"],
  ["schema/a/b.ridl", "common.ridl", "../../common.ridl"],
  ["a.ridl", "../shared/b.ridl", "../shared/b.ridl"],
  ["../shared/a.ridl", "../shared/b.ridl", "b.ridl"],
  ["../shared/a.ridl", "b.ridl", null],
  ["C:/a/b.ridl", "C:/c.ridl", "../c.ridl"],
  ["C:/a/b.ridl", "D:/a/c.ridl", null],
  ["a.ridl", "D:/a/c.ridl", null],
])("the path from %s to %s is %s", (from, to, expected) => {
  expect(relativePath(from, to)).toBe(expected);
});

test("a specifier between drives is absolute", () => {
  expect(relativeSpecifier("C:/a/b.ts", "C:/a/c.js")).toBe("./c.js");
  expect(relativeSpecifier("C:/a/b.ts", "D:/a/c.js")).toBe("D:/a/c.js");
});
