import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * Draws characters from all of Unicode, as units of strings. It draws the same
 * as fast-check's unit `binary`, which spends a second and 100 MB on a list of
 * all characters.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - surrogates })
  .map(toCharacter, toIndex);

function toCharacter(index: number): string {
  return String.fromCodePoint(
    index < firstSurrogate ? index : index + surrogates,
  );
}

/** Errors: RangeError, which tells fast-check that text is not a character. */
function toIndex(text: unknown): number {
  const point = String(text).codePointAt(0) ?? 0;
  const index = point < firstSurrogate ? point : point - surrogates;
  if (toCharacter(index) === text) return index;
  throw new RangeError("not a character");
}
