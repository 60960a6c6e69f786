import { hasText, readExample } from "../../ir/read-example.js";
import { textTest } from "../../ir/limits.js";
import { wireRange } from "../../ir/scalars.js";
import type { NumberSet, WireValue } from "./value.js";
import { matchingStrings } from "../../pattern/matching-strings.js";
import type { Pair } from "./pairing.js";

/** Whether a type can represent all of these numbers. Floats are doubles. */
export function containsNumbers(wide: NumberSet, narrow: NumberSet): boolean {
  if (wide.isWhole && !narrow.isWhole) return false;
  const [minimum, maximum] =
    !wide.isWhole && narrow.isWhole
      ? wireRange("int", "number")
      : [wide.minimum, wide.maximum];
  return minimum <= narrow.minimum && narrow.maximum <= maximum;
}

/**
 * Whether `wide` allows every string that `narrow` allows. Limits of strings
 * and members of enums are compared separately.
 */
export function containsStrings(wide: WireValue, narrow: WireValue): boolean {
  if (wide.content === narrow.content) {
    const [all, some] = [wide.numbers, narrow.numbers];
    return !all || !some || containsNumbers(all, some);
  }
  if (wide.content !== "string") return false;
  if (narrow.content === "enum") {
    return narrow.texts.every((text) => fitsLimits(text, wide));
  }
  return wide.layers.every(({ constraints }) => {
    const { minLength = 0, maxLength, pattern, format } = constraints;
    return minLength <= 1 && !maxLength && !pattern && !format;
  });
}

/** Whether a string is within the limits of a value. */
export function fitsLimits(text: string, { layers }: WireValue): boolean {
  return textTest(layers.map(({ constraints }) => constraints))(text);
}

/** Whether a path segment with this text can represent a value. */
export function fitsSegment(
  text: string,
  { content, layers, texts, type }: WireValue,
): boolean {
  if (content === "enum") return texts.includes(text);
  if (type.kind !== "scalar" || !hasText(type.name)) return true;
  const limits = layers.map(({ constraints }) => constraints);
  return readExample(type.name, limits, text) !== undefined;
}

/**
 * Finds a string that the old value allows but the new value does not. Only
 * tries strings that match a pattern of the old value. Returns null if it finds
 * none.
 */
export function findCounterexample({
  before,
  after,
}: Pair<WireValue>): string | null {
  const longest = after.layers.map(
    ({ constraints: { maxLength = 0 } }) => maxLength + 1,
  );
  for (const pattern of patternsOf(before)) {
    for (const text of matchingStrings(pattern, Math.max(...longest))) {
      if (fitsLimits(text, before) && !fitsLimits(text, after)) return text;
    }
  }
  return null;
}

/**
 * Whether a tighter limit certainly rejects something that used to be valid. If
 * the old value has patterns, this requires a counterexample.
 */
export function hasCounterexample(pair: Pair<WireValue>): boolean {
  return (
    patternsOf(pair.before).length === 0 || findCounterexample(pair) !== null
  );
}

function patternsOf({ layers }: WireValue): readonly string[] {
  return layers.flatMap(({ constraints }) => constraints.pattern ?? []);
}
