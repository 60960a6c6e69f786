import type { AllowedValue, Constraints } from "../ir/contract.js";
import {
  isIntegerName,
  type Scalar,
  type ScalarName,
  scalars,
  wireRange,
} from "../ir/scalars.js";
import { formats, words } from "../ir/text-rule.js";
import { compareTextSets } from "../pattern/compare-text-sets.js";
import { isNested } from "../pattern/pattern.js";
import { parsePattern } from "../pattern/parse-pattern.js";
import { variedTexts } from "../pattern/matching-strings.js";
import { allowedAlong, enumValuesOf } from "./allowed-values.js";
import type { Json } from "./json.js";
import { integersWithin, lengthsOf, textTest, unlimited } from "./limits.js";
import { readExample } from "./read-example.js";
import type { ResolvedScalar, ResolvedValue } from "./value.js";
import type { WireOptions } from "./wire-options.js";

/** The smallest and the largest number to choose. */
export type Range<N> = readonly [from: N, to: N];

/** The values of a core type that are easy to read. Mocks draw from them. */
export type Choices =
  | { readonly kind: "boolean" | "file" | "null" }
  | { readonly kind: "integers"; readonly range: Range<bigint> }
  | { readonly kind: "floats"; readonly range: Range<number> }
  /** The values that `+ enum` lists, which can be none. */
  | { readonly kind: "listed"; readonly values: readonly AllowedValue[] }
  /** Some texts, a typical one first. */
  | { readonly kind: "texts"; readonly texts: readonly [string, ...string[]] }
  /** Words with a total length in a range. */
  | { readonly kind: "words"; readonly range: Range<number> };

type LimitedScalar = Pick<ResolvedScalar, "known" | "layers" | "scalar">;

/**
 * Returns the values from which to choose, and ignores the example. There are
 * at most `count` texts, unless values are known.
 */
export function choicesOf(
  { known, layers, scalar }: LimitedScalar,
  int64: WireOptions["int64"],
  count = textCount,
): Choices {
  const values = allowedAlong(layers, int64);
  if (values !== null) return { kind: "listed", values };
  const { limits: kind, text, wire }: Scalar = scalars[scalar];
  switch (wire) {
    case "any":
      return { kind: "words", range: [1, maxLength] };
    case "boolean":
    case "file":
    case "null":
      return { kind: wire };
    case "number":
    case "string":
      break;
  }
  if (kind === "number") {
    const range = isIntegerName(scalar) ? wireRange(scalar, int64) : unlimited;
    return wire === "number" && !isIntegerName(scalar)
      ? { kind: "floats", range: floatRange(layers) }
      : { kind: "integers", range: integerRange(range, layers) };
  }
  const [first, ...others] =
    known === null
      ? findTexts(layers, candidates(scalar, layers), count)
      : findTexts(
          layers,
          known.members.map(({ jsonValue }) => jsonValue),
        );
  if (first !== undefined) return { kind: "texts", texts: [first, ...others] };
  if (text !== null) return { kind: "texts", texts: [text.samples[0]] };
  const { max, min } = lengthsOf(layers);
  return { kind: "words", range: countRange(min, max, maxLength) };
}

/**
 * Returns the example of a value as JSON. Returns undefined if there is none, if
 * it does not fit, or if the type has no examples.
 */
export function exampleOf(
  value: ResolvedValue,
  int64: WireOptions["int64"],
): Exclude<Json, object> | undefined {
  const { example } = value.limits;
  if (example === undefined) return undefined;
  switch (value.kind) {
    case "scalar":
      return scalarExample(value, int64);
    case "enum":
      return enumValuesOf(value).includes(example) ? example : undefined;
    case "bytes":
    case "struct":
    case "list":
    case "map":
    case "union":
      return undefined;
  }
}

function scalarExample(
  { layers, limits, scalar }: ResolvedScalar,
  int64: WireOptions["int64"],
): Exclude<Json, object> | undefined {
  const others = layers.map(({ pattern: _, ...rest }) => rest);
  const example = readExample(scalar, others, limits.example);
  if (typeof example === "string") {
    const patterns = layers.flatMap(({ pattern }) => pattern ?? []);
    return fitsPatterns(example, patterns) ? example : undefined;
  }
  const isInteger = typeof example !== "boolean" && isIntegerName(scalar);
  if (!isInteger || example === undefined) return example;
  const [least, most] = wireRange(scalar, int64);
  return example >= least && example <= most ? example : undefined;
}

/** Longer texts could be slow to match. */
const maxQuick = 200;

/** Whether a text matches all patterns. Avoids matches that could take hours. */
function fitsPatterns(text: string, patterns: readonly string[]): boolean {
  const isQuick = patterns.every((source) => {
    const pattern = text.length > maxQuick ? null : parsePattern(source);
    return pattern !== null && !isNested(pattern);
  });
  const any = { min: 0, max: Infinity };
  const literal = `^${text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")}$`;
  const inner = { ...any, patterns: [literal] };
  const result = isQuick ? null : compareTextSets(inner, { ...any, patterns });
  return result === null || result.kind === "unclear"
    ? patterns.every((pattern) => new RegExp(pattern, "u").test(text))
    : result.kind === "contained";
}

/** Maximum width of a range. Small numbers are easier to read. */
const width = 1000;

/** Returns the range of integers to choose: small and positive if possible. */
function integerRange(
  range: Range<bigint>,
  limits: readonly Constraints[],
): Range<bigint> {
  const [low, high] = integersWithin(range, limits);
  const most = BigInt(width);
  if (high - low <= most) return [low, high];
  const from = low > 0n ? low : high < most ? high - most : 0n;
  return [from, from + most];
}

function floatRange(limits: readonly Constraints[]): Range<number> {
  const [low, high] = floatsWithin(limits);
  if (high - low <= width) return [low, high];
  const from = low > 0 ? low : high < width ? high - width : 0;
  return [from, from + width];
}

/** Returns the smallest and the largest float within all limits. */
export function floatsWithin(limits: readonly Constraints[]): Range<number> {
  const least = limits.map(({ minimum = -Infinity }) => Number(minimum));
  const most = limits.map(({ maximum = Infinity }) => Number(maximum));
  return [Math.max(-Infinity, ...least), Math.min(Infinity, ...most)];
}

/**
 * Returns the minimum and maximum number of characters or items to choose. The
 * minimum is at least one if that is allowed.
 */
export function countRange(
  min: number,
  max: number,
  usual: number,
): Range<number> {
  const most = Math.max(min, Math.min(max, usual));
  return [Math.max(min, Math.min(1, most)), most];
}

/** Number of texts to choose from, unless values are known. */
export const textCount = 8;

/** Default maximum length. Longer texts are hard to read. */
const maxLength = 24;

/** Returns the distinct texts within limits. */
function findTexts(
  limits: readonly Constraints[],
  texts: Iterable<string>,
  count = Infinity,
): readonly string[] {
  const fits = textTest(limits);
  const found = new Set<string>();
  for (const text of texts) {
    if (found.size === count) break;
    if (fits(text)) found.add(text);
  }
  return [...found];
}

function* candidates(
  name: ScalarName,
  limits: readonly Constraints[],
): Generator<string> {
  const { max, min } = lengthsOf(limits);
  for (const { pattern } of limits) {
    if (pattern === undefined) continue;
    yield* variedTexts(pattern, Math.max(min, Math.min(max, 16)));
  }
  const given = limits.flatMap(({ format }) =>
    format === undefined ? [] : formats[format],
  );
  const { text: own } = scalars[name];
  if (own !== null) yield own.samples[0];
  const rules = own === null ? given : [own, ...given];
  for (const { draw } of rules) {
    for (let seed = 0; seed < 3 * words.length; seed += 1) {
      yield draw(seed).padEnd(min, "-x").slice(0, max);
    }
  }
}

/**
 * Returns one of the choices: the typical one for 0. Different numbers return
 * different values, as long as there are more.
 */
export function choose(choices: Choices, at: number): Json {
  switch (choices.kind) {
    case "boolean":
      return at % 2 === 0;
    case "file":
    case "null":
      return null;
    case "integers": {
      const [from, to] = choices.range;
      if (from > to) return from;
      const first = from > 1n ? from : to < 1n ? to : 1n;
      return from + ((first - from + BigInt(at)) % (to - from + 1n));
    }
    case "floats": {
      const [from, to] = choices.range;
      const next = Math.min(Math.max(1, from), to) + at;
      return next <= to ? next : from + ((to - from) * at) / (at + 1);
    }
    case "listed":
      return choices.values[at % choices.values.length] ?? null;
    case "texts":
      return choices.texts[at % choices.texts.length] ?? "";
    case "words":
      return joinWords(choices.range, at);
  }
}

/** Joins words to a text with a length in a range. */
function joinWords([min, max]: Range<number>, at: number): string {
  const turn = Math.floor(at / words.length);
  const start = at % words.length;
  const ordered = [...words.slice(start), ...words.slice(0, start)].join(" ");
  let text = turn === 0 ? ordered : `${turn}${ordered}`;
  while (text.length < min) text += ` ${text}`;
  const end = text.indexOf(" ", min);
  return text.slice(0, Math.min(max, end === -1 ? max : end));
}
