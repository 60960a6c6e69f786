import * as fc from "fast-check";
import type { Constraints, ScalarName } from "../../ir/contract.js";
import { integersWithin, lengthsOf, textTest } from "../../values/limits.js";
import { isIntegerName, scalars, wireRange } from "../../ir/scalars.js";
import { formats, type TextRule } from "../../ir/text-rule.js";
import { matchingStrings } from "../../pattern/matching-strings.js";
import { codePoint } from "./code-point.js";
import type { Json } from "./json.js";

/** Draws values of a core type that fit all limits, often values at a limit. */
export function drawScalar(
  name: ScalarName,
  limits: readonly Constraints[],
): fc.Arbitrary<Json> {
  const { limits: kind, text, wire } = scalars[name];
  switch (wire) {
    case "any":
      return fc.oneof(fc.boolean(), fc.string(), fc.nat().map(BigInt));
    case "boolean":
      return fc.boolean();
    case "file":
    case "null":
      return fc.constant(null);
    case "number":
      return isIntegerName(name)
        ? drawInteger(wireRange(name, "bigint"), limits)
        : drawFloat(limits);
    case "string":
      if (kind === "number")
        return drawInteger([-(2n ** 255n), 2n ** 256n], limits).map(String);
      return text === null ? drawText(limits) : drawRuled(text);
  }
}

function drawRuled({ draw, samples }: TextRule): fc.Arbitrary<string> {
  return fc.oneof(fc.maxSafeNat().map(draw), fc.constantFrom(...samples));
}

/** Draws bytes within limits in base64, as on the wire. */
export function drawBytes({
  maxItems = Infinity,
  minItems = 0,
}: Constraints): fc.Arbitrary<string> {
  const maxLength = Math.max(minItems, Math.min(maxItems, minItems + 12));
  return fc
    .uint8Array({ minLength: minItems, maxLength })
    .map((bytes) => Buffer.from(bytes).toString("base64"));
}

function drawInteger(
  range: readonly [bigint, bigint],
  limits: readonly Constraints[],
): fc.Arbitrary<bigint> {
  const [min, max] = integersWithin(range, limits);
  if (min > max) return fc.constant(min);
  const near = max - min > 100n ? min + 100n : max;
  const start = min <= 0n && max >= 100n ? 0n : min;
  return fc.oneof(
    fc.bigInt(start, start === 0n ? 100n : near),
    fc.bigInt(min, max),
    fc.constantFrom(...new Set([min, max])),
    ...exampleIntegers(limits, min, max).map((value) => fc.constant(value)),
  );
}

function exampleIntegers(
  limits: readonly Constraints[],
  min: bigint,
  max: bigint,
): readonly bigint[] {
  return limits
    .flatMap(({ example = "" }) => (/^-?\d+$/u.test(example) ? example : []))
    .map(BigInt)
    .filter((value) => value >= min && value <= max);
}

function drawFloat(limits: readonly Constraints[]): fc.Arbitrary<number> {
  const smallest = limits.map(({ minimum = -Infinity }) => Number(minimum));
  const largest = limits.map(({ maximum = Infinity }) => Number(maximum));
  const [low, high] = [Math.max(...smallest), Math.min(...largest)];
  // Numbers beyond ±1e9 are drawn only if a limit requires them.
  const min = Math.max(low, -Number.MAX_VALUE, Math.min(-1e9, 2 * high));
  const most = Math.min(high, Number.MAX_VALUE, Math.max(1e9, 2 * low));
  const max = Math.max(min, most);
  return fc.oneof(
    fc.double({ min, max, noNaN: true }),
    fc.constantFrom(min, max),
  );
}

/** Longer strings are drawn only if a limit requires them. */
const defaultMaxLength = 16;

function drawText(limits: readonly Constraints[]): fc.Arbitrary<string> {
  const fits = textTest(limits);
  const examples = limits.flatMap(({ example = [] }) => example).filter(fits);
  const known = examples.map((text) => fc.constant(text));
  const isSpecial = limits.some(
    ({ format, pattern }) => (format ?? pattern) !== undefined,
  );
  if (isSpecial) {
    const texts = knownStrings(limits).filter(fits);
    const [first = "", ...others] = [...examples, ...texts];
    return fc.oneof(fc.constantFrom(first, ...others), ...known);
  }
  const { min: minLength, max: longest } = lengthsOf(limits);
  const maxLength = Math.max(
    minLength,
    Math.min(longest, minLength + defaultMaxLength),
  );
  const lengths = { minLength, maxLength };
  return fc.oneof(
    fc.string({ ...lengths, unit: "grapheme-ascii" }),
    // Any code point, including those with two UTF-16 code units.
    fc.string({ ...lengths, unit: codePoint }),
    ...known,
  );
}

/** Lists strings that a pattern or a format may allow. */
export function knownStrings(
  limits: readonly Constraints[],
): readonly string[] {
  const texts = limits.flatMap(({ format, maxLength, minLength, pattern }) => [
    ...(format === undefined ? [] : formats[format].samples),
    ...(pattern === undefined
      ? []
      : matchingStrings(pattern, maxLength ?? minLength ?? defaultMaxLength)),
  ]);
  return [...new Set(texts)];
}
