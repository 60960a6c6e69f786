import * as fc from "fast-check";
import type { Constraints } from "../../generator/ir/contract.js";
import {
  isIntegerName,
  scalars,
  wireRange,
} from "../../generator/ir/scalars.js";
import { allowedAlong } from "../../generator/values/allowed-values.js";
import { floatsWithin } from "../../generator/values/choices.js";
import { extremesOf, matchingTexts } from "../../generator/values/extremes.js";
import {
  integersWithin,
  lengthsOf,
  textTest,
} from "../../generator/values/limits.js";
import { readExample } from "../../generator/values/read-example.js";
import type { ResolvedScalar } from "../../generator/values/value.js";
import { codePoint } from "./code-point.js";
import type { Json } from "../../generator/values/json.js";

type LimitedScalar = Pick<ResolvedScalar, "layers" | "scalar">;

/**
 * Draws values of a core type that fit all limits, often examples and values at
 * a limit.
 */
export function drawScalar(value: LimitedScalar): fc.Arbitrary<Json> {
  const { layers, scalar } = value;
  const listed = allowedAlong(layers, "bigint");
  // No value fits an empty list.
  if (listed !== null)
    return fc.constantFrom<Json>(...(listed.length > 0 ? listed : [null]));
  const { edges, odd } = extremesOf(value);
  const examples = layers.flatMap(
    ({ example }) => readExample(scalar, layers, example) ?? [],
  );
  // The longest texts can be too large to send often.
  const isText = scalars[scalar].limits === "text";
  const extremes = [...(isText ? [] : edges), ...odd];
  const [first, ...others] = [
    ...drawRandom(value),
    ...(extremes.length > 0 ? [fc.constantFrom(...extremes)] : []),
    // Other identifiers rarely exist on the server.
    ...examples.map((each) => ({ arbitrary: fc.constant(each), weight: 2 })),
  ];
  return first === undefined ? fc.constant("") : fc.oneof(first, ...others);
}

function drawRandom({
  layers,
  scalar,
}: LimitedScalar): readonly fc.Arbitrary<Json>[] {
  const { limits: kind, text, wire } = scalars[scalar];
  switch (wire) {
    case "any":
      return [fc.boolean(), fc.string(), fc.nat().map(BigInt)];
    case "boolean":
      return [fc.boolean()];
    case "file":
    case "null":
      return [fc.constant(null)];
    case "number":
      return isIntegerName(scalar)
        ? drawIntegers(wireRange(scalar, "bigint"), layers)
        : [drawFloat(layers)];
    case "string":
      if (kind !== "number")
        return text === null
          ? drawTexts(layers)
          : [fc.maxSafeNat().map(text.draw)];
      return drawIntegers([-(2n ** 255n), 2n ** 256n], layers).map((each) =>
        each.map(String),
      );
  }
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

function drawIntegers(
  range: readonly [bigint, bigint],
  limits: readonly Constraints[],
): readonly fc.Arbitrary<bigint>[] {
  const [min, max] = integersWithin(range, limits);
  if (min > max) return [fc.constant(min)];
  const near = max - min > 100n ? min + 100n : max;
  const start = min <= 0n && max >= 100n ? 0n : min;
  return [fc.bigInt(start, start === 0n ? 100n : near), fc.bigInt(min, max)];
}

function drawFloat(limits: readonly Constraints[]): fc.Arbitrary<number> {
  const [low, high] = floatsWithin(limits);
  // Numbers beyond ±1e9 are drawn only if a limit requires them.
  const min = Math.max(low, -Number.MAX_VALUE, Math.min(-1e9, 2 * high));
  const most = Math.min(high, Number.MAX_VALUE, Math.max(1e9, 2 * low));
  const max = Math.max(min, most);
  return fc.double({ min, max, noNaN: true });
}

/** Longer strings are drawn only if a limit requires them. */
const defaultMaxLength = 16;

function drawTexts(
  limits: readonly Constraints[],
): readonly fc.Arbitrary<string>[] {
  const isSpecial = limits.some(
    ({ format, pattern }) => (format ?? pattern) !== undefined,
  );
  if (isSpecial) {
    const texts = matchingTexts(limits).filter(textTest(limits));
    return texts.length === 0 ? [] : [fc.constantFrom(...texts)];
  }
  const { min: minLength, max: longest } = lengthsOf(limits);
  const maxLength = Math.max(
    minLength,
    Math.min(longest, minLength + defaultMaxLength),
  );
  const lengths = { minLength, maxLength };
  return [
    fc.string({ ...lengths, unit: "grapheme-ascii" }),
    // Any code point, including those with two UTF-16 code units.
    fc.string({ ...lengths, unit: codePoint }),
  ];
}
