import type { AllowedValue, Constraints } from "../ir/contract.js";
import {
  isIntegerName,
  type Scalar,
  type ScalarName,
  scalars,
  wireRange,
} from "../ir/scalars.js";
import { formats } from "../ir/text-rule.js";
import { matchingStrings } from "../pattern/matching-strings.js";
import { allowedAlong } from "./allowed-values.js";
import { floatsWithin } from "./choices.js";
import type { Json } from "./json.js";
import { integersWithin, lengthsOf, textTest, unlimited } from "./limits.js";
import type { ResolvedScalar } from "./value.js";

/** The values of a core type that implementations often treat wrongly. */
export interface Extremes {
  /** The least and the greatest value, or the shortest and the longest text. */
  readonly edges: readonly Json[];
  /** Valid values of an unusual form. */
  readonly odd: readonly Json[];
  /** Invalid values: just beyond the limits, or nearly well-formed. */
  readonly beyond: readonly Json[];
}

/** Longer texts are not created, because servers limit the size of bodies. */
const maxLength = 100_000;

/** Returns the extremes of a value of a core type. */
export function extremesOf({
  layers,
  scalar,
}: Pick<ResolvedScalar, "layers" | "scalar">): Extremes {
  const listed = allowedAlong(layers, "bigint");
  if (listed !== null) return aroundList(scalar, listed);
  const { limits: kind, text, wire }: Scalar = scalars[scalar];
  if (isIntegerName(scalar)) {
    const [least, most] = integersWithin(wireRange(scalar, "bigint"), layers);
    if (least > most) return none;
    const beyond = [least - 1n, most + 1n, 0.5];
    return { edges: [least, most], odd: [], beyond };
  }
  switch (kind) {
    case "number": {
      const { edges, beyond } =
        wire === "number"
          ? aroundFloats(floatsWithin(layers))
          : aroundTexts(integersWithin(unlimited, layers));
      const faults = text?.faults ?? [];
      return { edges, odd: [], beyond: [...beyond, ...faults] };
    }
    case "text":
      return textExtremes(layers);
    case null:
      return text === null
        ? none
        : { edges: [], odd: text.samples, beyond: text.faults };
  }
}

const none: Extremes = { edges: [], odd: [], beyond: [] };

/** Returns the listed values, and values that are nearly the same. */
function aroundList(
  name: ScalarName,
  listed: readonly AllowedValue[],
): Extremes {
  const [first] = listed;
  const last = listed.at(-1);
  if (first === undefined || last === undefined) return none;
  const near = [first, last].flatMap((value) => neighborsOf(name, value));
  const beyond = near.filter((value) => !listed.includes(value));
  return { edges: listed, odd: [], beyond: [...new Set(beyond)] };
}

function neighborsOf(
  name: ScalarName,
  value: AllowedValue,
): readonly AllowedValue[] {
  if (typeof value === "string")
    return scalars[name].limits === "number"
      ? [String(BigInt(value) + 1n), value.replace(/\d+/u, "0$&")]
      : [`${value} `, value.toUpperCase(), value.slice(1)];
  if (value === true || value === false) return [!value];
  return isBigint(value)
    ? [value - 1n, value + 1n]
    : [value - 1, value + 1, value + 0.5];
}

function isBigint(value: bigint | number): value is bigint {
  return typeof value === "bigint";
}

type Edges = Pick<Extremes, "beyond" | "edges">;

function aroundFloats([least, most]: readonly [number, number]): Edges {
  if (least > most) return none;
  // A step of 1 would not change a large number.
  const step = (from: number): number => Math.max(1, Math.abs(from) * 1e-9);
  const beyond = [least - step(least), most + step(most)];
  return {
    edges: [least, most].filter(Number.isFinite),
    beyond: beyond.filter(Number.isFinite),
  };
}

/** Returns integers in text around the limits that there are. */
function aroundTexts([least, most]: readonly [bigint, bigint]): Edges {
  if (least > most) return none;
  const isLow = least > unlimited[0];
  const isHigh = most < unlimited[1];
  return {
    edges: [isLow ? least : [], isHigh ? most : []].flat().map(String),
    beyond: [isLow ? least - 1n : [], isHigh ? most + 1n : []]
      .flat()
      .map(String),
  };
}

function textExtremes(layers: readonly Constraints[]): Extremes {
  const { max, min } = lengthsOf(layers);
  const fits = textTest(layers);
  const texts = matchingTexts(layers);
  const { beyond, edges } = countsAround(
    min === 0 ? undefined : min,
    max === Infinity ? undefined : max,
    maxLength,
  );
  const ofLength = (length: number): readonly string[] => [
    ...texts.filter((text) => Array.from(text).length === length),
    "a".repeat(length),
  ];
  const rules = layers.flatMap(({ format }) =>
    format === undefined ? [] : formats[format],
  );
  return {
    edges: edges.flatMap((length) => ofLength(length).find(fits) ?? []),
    odd: rules.flatMap(({ samples }) => samples).filter(fits),
    beyond: [
      ...beyond.flatMap((length) => ofLength(length)[0] ?? []),
      ...rules.flatMap(({ faults }) => faults),
    ],
  };
}

/** Default maximum length of the repetitions in texts for patterns. */
const usualLength = 16;

/** Lists texts that a pattern or a format may allow. */
export function matchingTexts(
  layers: readonly Constraints[],
): readonly string[] {
  const texts = layers.flatMap(({ format, maxLength, minLength, pattern }) => [
    ...(format === undefined ? [] : formats[format].samples),
    ...(pattern === undefined
      ? []
      : matchingStrings(pattern, maxLength ?? minLength ?? usualLength)),
  ]);
  return [...new Set(texts)];
}

/** Returns the lengths or sizes at limits and beyond them, up to a maximum. */
export function countsAround(
  min: number | undefined,
  max: number | undefined,
  most: number,
): { readonly edges: readonly number[]; readonly beyond: readonly number[] } {
  const within = (counts: readonly number[]): readonly number[] =>
    counts.filter((count) => count >= 0 && count <= most);
  return {
    edges: within([min ?? [], max ?? []].flat()),
    beyond: within(
      [
        min === undefined ? [] : min - 1,
        max === undefined ? [] : max + 1,
      ].flat(),
    ),
  };
}
