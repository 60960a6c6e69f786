import fc from "fast-check";
import { expect, it } from "vitest";
import { decodePart } from "../../../runtime/typescript/server/requests/decode-part.js";

const piece = fc.constantFrom(
  ...["+", "%", "%%41", "%4", "%g1", "%2B", "%c3%a9", "%C3", "%ff", "a"],
  ...["%EF%BB%BF", "%00", "g"],
);

/** Returns what browsers read, or null if it contains replaced bytes. */
function decode(text: string): string | null {
  const value = new URLSearchParams(`a=${text}`).get("a");
  return value?.includes("\uFFFD") === true ? null : value;
}

it.each([
  ["short", { maxLength: 6 }],
  ["long", { minLength: 65, maxLength: 99 }],
])("decodes %s texts as browsers do", (_, length) => {
  fc.assert(
    fc.property(fc.array(piece, length), (pieces) => {
      const text = pieces.join("");
      expect(decodePart(text)).toBe(decode(text));
    }),
    { numRuns: 2000 },
  );
});

it.each([1, 100])("keeps characters that should be escaped (%d)", (count) => {
  const text = "\uFEFFé😀%A";
  expect(decodePart("+".repeat(count) + text)).toBe(" ".repeat(count) + text);
});
