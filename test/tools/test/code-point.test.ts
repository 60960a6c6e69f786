import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";

test("draws only single characters, which it can shrink", () => {
  fc.assert(
    fc.property(codePoint, (text) => {
      expect(text).toMatch(/^\P{Cs}$/su);
      expect(codePoint.canShrinkWithoutContext(text)).toBe(true);
    }),
  );
});

test.each(["\0", "\ud7ff", "\ue000", "\u{10ffff}"])("may draw %j", (text) => {
  expect(codePoint.canShrinkWithoutContext(text)).toBe(true);
});

test.each(["", "ab", "\ud800", "\udfff"])("never draws %j", (text) => {
  expect(codePoint.canShrinkWithoutContext(text)).toBe(false);
});
