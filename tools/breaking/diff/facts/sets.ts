import {
  hasText,
  readExample,
} from "../../../../generator/values/read-example.js";
import { lengthsOf, textTest } from "../../../../generator/values/limits.js";
import { wireRange } from "../../../../generator/ir/scalars.js";
import type { TextsAround } from "../../../../generator/http/match-addresses.js";
import type { NumberSet, WireValue } from "./value.js";
import { matchingStrings } from "../../../../generator/pattern/matching-strings.js";
import {
  compareTextSets,
  type TextSet,
} from "../../../../generator/pattern/compare-text-sets.js";
import type { Constraints } from "../../../../generator/ir/contract.js";

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
  const known = textsOf(narrow);
  if (
    known !== null &&
    (wide.content === "string" || wide.content === "enum")
  ) {
    return known.every((text) => fitsText(text, wide));
  }
  if (wide.content !== "string") return false;
  return wide.layers.every(({ constraints }) => {
    const {
      enum: list,
      minLength = 0,
      maxLength,
      pattern,
      format,
    } = constraints;
    return minLength <= 1 && !list && !maxLength && !pattern && !format;
  });
}

/** Returns the only strings that a value can be, or null if there are many. */
function textsOf({
  content,
  texts,
  value,
}: WireValue): readonly string[] | null {
  if (content === "enum") return texts;
  return content === "string" ? (value.limits.enum?.map(String) ?? null) : null;
}

function fitsText(text: string, value: WireValue): boolean {
  return value.content === "enum"
    ? value.texts.includes(text)
    : fitsLimits(text, value);
}

/** Whether a string is within the limits of a value. */
export function fitsLimits(text: string, { layers }: WireValue): boolean {
  return textTest(layers.map(({ constraints }) => constraints))(text);
}

/** Whether a path segment with this text can represent a value. */
export function fitsSegment(
  text: string,
  { layers, texts, value }: WireValue,
): boolean {
  switch (value.kind) {
    case "enum":
      return texts.includes(text);
    case "scalar": {
      if (!hasText(value.scalar)) return true;
      const limits = layers.map(({ constraints }) => constraints);
      return readExample(value.scalar, limits, text) !== undefined;
    }
    case "bytes":
    case "struct":
    case "list":
    case "map":
    case "union":
      return true;
  }
}

/** Whether one of these texts can represent a value in a path segment. */
export function fitsAround(
  { end, gap, start }: TextsAround,
  { layers, texts, value }: WireValue,
): boolean {
  const [first, last] = [start, end].map((text) =>
    text.replace(/[.*+$()]/gu, "\\$&"),
  );
  const pattern = `^${first}[^]{${gap},}${last}$`;
  const isOne = (text: string): boolean => new RegExp(pattern).test(text);
  switch (value.kind) {
    case "enum":
      return texts.some(isOne);
    case "scalar": {
      const listed = value.limits.enum?.map(String);
      if (listed !== undefined) return listed.some(isOne);
      const limits = textSetOf(layers.map(({ constraints }) => constraints));
      const patterns = [
        ...limits.patterns,
        pattern,
        ...(value.scalar === "string" ? [] : [otherText]),
      ];
      const result = compareTextSets({ ...limits, patterns }, noTexts);
      return result.kind !== "contained";
    }
    case "bytes":
    case "struct":
    case "list":
    case "map":
    case "union":
      return true;
  }
}

/** Matches the texts of numbers, booleans and timestamps, and a few more. */
const otherText = "^(?:true|false|-?[0-9](?:[-+.:0-9TZeE]*[0-9Z])?)$";

const noTexts: TextSet = { patterns: [], min: 1, max: 0 };

/** Whether limits reject a string that a value allows. */
export type Rejection =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly example: string }
  | { readonly kind: "unclear" };

/**
 * Decides whether limits reject a string that a value allows. Formats and
 * patterns with lookarounds or references are too complex for a decision. For
 * these, tries strings that match a pattern of the value.
 */
export function findRejection(
  value: WireValue,
  limits: readonly Constraints[],
): Rejection {
  const known = value.layers.map(({ constraints }) => constraints);
  const isAllowed = textTest(known);
  const isStillAllowed = textTest(limits);
  const isRejected = (text: string): boolean =>
    isAllowed(text) && !isStillAllowed(text);
  const listed = value.value.limits.enum;
  if (listed !== undefined) {
    const example = listed.map(String).find(isRejected);
    return example === undefined
      ? { kind: "none" }
      : { kind: "found", example };
  }
  const result = compareTextSets(textSetOf(known), textSetOf(limits));
  if (result.kind === "not-contained" && isRejected(result.example)) {
    return { kind: "found", example: result.example };
  }
  const hasNewFormat = limits.some(({ format }) => format !== undefined);
  if (result.kind === "contained" && !hasNewFormat) return { kind: "none" };
  const longest = limits.map(({ maxLength = 0 }) => maxLength + 1);
  for (const pattern of textSetOf(known).patterns) {
    for (const text of matchingStrings(pattern, Math.max(...longest))) {
      if (isRejected(text)) return { kind: "found", example: text };
    }
  }
  return { kind: "unclear" };
}

function textSetOf(limits: readonly Constraints[]): TextSet {
  const patterns = limits.flatMap(({ pattern }) => pattern ?? []);
  return { patterns, ...lengthsOf(limits) };
}
