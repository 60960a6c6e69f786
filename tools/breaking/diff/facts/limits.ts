import { findBrokenLimit } from "../../../../generator/ir/broken-limit.js";
import type {
  AllowedValue,
  Constraints,
} from "../../../../generator/ir/contract.js";
import type { Subject } from "./change.js";
import type { Pair } from "./pairing.js";
import { findRejection, fitsLimits } from "./sets.js";
import type { LimitLayer, WireValue } from "./value.js";

/** A limit that changed. */
export interface LimitChange extends Pair<Limit> {
  readonly key: string;
  /** Whether some value is certainly affected. Patterns can be undecidable. */
  readonly isCertain: boolean;
  readonly subjects: Pair<Subject>;
  /** The limit alone in `after`. Empty if a limit was removed. */
  readonly now: Constraints;
}

type Limit = number | bigint | string | boolean | undefined;

/** One kind of limit: how to read it, and which of two is tighter. */
interface LimitKind {
  readonly key: string;
  readonly read: (layer: LimitLayer) => Limit;
  readonly isTighter: (one: Limit, other: Limit) => boolean;
}

const kinds: readonly LimitKind[] = [
  limitKind("minimum", isAbove),
  // A count of at least 0 is no limit.
  ...(["minLength", "minItems", "minProperties"] as const).map((key) => ({
    key,
    read: ({ constraints }: LimitLayer) => constraints[key] || undefined,
    isTighter: isAbove,
  })),
  ...(["maximum", "maxLength", "maxItems", "maxProperties"] as const).map(
    (key) => limitKind(key, isBelow),
  ),
  limitKind("format", isSet),
  {
    key: "uniqueItems",
    read: ({ constraints }) => constraints.uniqueItems === true || undefined,
    isTighter: isSet,
  },
];

function limitKind(
  key: Exclude<keyof Constraints, "enum" | "uniqueItems">,
  isTighter: LimitKind["isTighter"],
): LimitKind {
  return { key, read: ({ constraints }) => constraints[key], isTighter };
}

/** Whether the limits of two values can be compared. */
export function haveSameLimits({ before, after }: Pair<WireValue>): boolean {
  return before.kind === after.kind && before.content === after.content;
}

/**
 * Returns the limits that are tighter in `after`, including new patterns.
 * Considers all limits from the field to its type, including those that the
 * type implies.
 */
export function findTightened(pair: Pair<WireValue>): readonly LimitChange[] {
  return [
    ...kinds.flatMap((kind) => findTighterLimit(kind, pair)),
    ...findNewPatterns(pair),
    ...findShorterLists(pair),
  ];
}

/** Returns the list of values in `after` that excludes values of `before`. */
function findShorterLists({
  before,
  after,
}: Pair<WireValue>): readonly LimitChange[] {
  const [now, ...others] = listsOf(after);
  if (now === undefined) return [];
  const isExcluded = (value: AllowedValue): boolean =>
    [now, ...others].some(({ values }) => !values.includes(value));
  const known = valuesOf(before);
  if (known?.some(isExcluded) === false) return [];
  const [then] = listsOf(before);
  return [
    {
      key: "enum",
      before: then && printList(then.values),
      after: printList(now.values),
      isCertain: known !== null || patternsOf(before).length === 0,
      now: { enum: now.values },
      subjects: {
        before: then?.layer.subject ?? before.subject,
        after: now.layer.subject,
      },
    },
  ];
}

/** A list of values with its location. */
interface PlacedList {
  readonly values: readonly AllowedValue[];
  readonly layer: LimitLayer;
}

function listsOf({ layers }: WireValue): readonly PlacedList[] {
  return layers.flatMap((layer) => {
    const { enum: values } = layer.constraints;
    return values === undefined ? [] : [{ values, layer }];
  });
}

/** Ranges with more integers are not listed. */
const maxListed = 1000;

/** Returns the values that limits allow, or null if there are too many. */
function valuesOf({
  content,
  numbers,
  texts,
  value,
}: WireValue): readonly AllowedValue[] | null {
  if (value.limits.enum !== undefined) return value.limits.enum;
  if (value.kind === "enum") return texts;
  if (content === "boolean") return [true, false];
  if (!numbers?.isWhole) return null;
  const least = Math.ceil(Number(numbers.minimum));
  const count = Math.floor(Number(numbers.maximum)) - least + 1;
  return count > maxListed
    ? null
    : Array.from({ length: Math.max(0, count) }, (_, at) => least + at);
}

/** Prints a list as in the schema, without its end if it is long. */
function printList(values: readonly AllowedValue[]): string {
  const texts = values
    .slice(0, maxPrinted)
    .map((value) => (value === "" ? "''" : value));
  return texts.join("|") + (values.length > maxPrinted ? "|…" : "");
}

const maxPrinted = 12;

function findTighterLimit(
  kind: LimitKind,
  pair: Pair<WireValue>,
): readonly LimitChange[] {
  const then = tightest(kind, pair.before);
  const now = tightest(kind, pair.after);
  const before = then && kind.read(then);
  const limit = now && kind.read(now);
  const implied = impliedLimit(kind, pair.before);
  const isTighter = [before, implied].every((known) =>
    kind.isTighter(limit, known),
  );
  if (now === undefined || !isTighter) return [];
  const affected = affects(kind.key, now, pair.before);
  if (affected === "nothing") return [];
  return [
    {
      key: kind.key,
      before,
      after: limit,
      isCertain: affected === "some",
      now: onlyLimit(kind.key, now.constraints),
      subjects: {
        before:
          sameLayer(now, pair.before) ?? then?.subject ?? pair.before.subject,
        after: now.subject,
      },
    },
  ];
}

/** Returns the patterns that were added, if no old pattern was removed. */
function findNewPatterns(pair: Pair<WireValue>): readonly LimitChange[] {
  const { added, removed } = comparePatterns(pair);
  if (removed.length > 0) return [];
  return added.flatMap(({ pattern, layer }) => {
    const affected = affects("pattern", layer, pair.before);
    if (affected === "nothing") return [];
    return {
      key: "pattern",
      before: undefined,
      after: pattern,
      isCertain: affected === "some",
      now: { pattern },
      subjects: {
        before: sameLayer(layer, pair.before) ?? pair.before.subject,
        after: layer.subject,
      },
    };
  });
}

/** Determines whether a tighter limit rejects values that used to be valid. */
function affects(
  key: string,
  { constraints }: LimitLayer,
  value: WireValue,
): "nothing" | "some" | "unclear" {
  const listed = value.value.limits.enum;
  if (listed !== undefined) {
    const limit = onlyLimit(key, constraints);
    const isBroken = listed.some((each) => findBrokenLimit(each, limit));
    return isBroken ? "some" : "nothing";
  }
  const limit = onlyTextLimit(key, constraints);
  if (limit === null) return "some";
  const all = [limit, ...value.layers.map((layer) => layer.constraints)];
  if (all.every(({ pattern }) => pattern === undefined)) return "some";
  const { kind } = findRejection(value, [limit]);
  switch (kind) {
    case "none":
      return "nothing";
    case "found":
      return "some";
    case "unclear":
      return "unclear";
  }
}

function onlyLimit(key: string, constraints: Constraints): Constraints {
  return Object.fromEntries(
    Object.entries(constraints).filter(([name]) => name === key),
  );
}

/** Returns one limit without the others, or null if it is not about strings. */
function onlyTextLimit(
  key: string,
  { format, maxLength, minLength, pattern }: Constraints,
): Constraints | null {
  switch (key) {
    case "minLength":
      return minLength === undefined ? {} : { minLength };
    case "maxLength":
      return maxLength === undefined ? {} : { maxLength };
    case "pattern":
      return pattern === undefined ? {} : { pattern };
    case "format":
      return format === undefined ? {} : { format };
    default:
      return null;
  }
}

/** A pattern with its location. */
export interface PlacedPattern {
  readonly pattern: string;
  readonly layer: LimitLayer;
}

/** Returns the patterns that only one of two values has. */
export function comparePatterns({ before, after }: Pair<WireValue>): {
  readonly removed: readonly PlacedPattern[];
  readonly added: readonly PlacedPattern[];
} {
  const [then, now] = [patternsOf(before), patternsOf(after)];
  const without = (
    some: readonly PlacedPattern[],
    others: readonly PlacedPattern[],
  ): readonly PlacedPattern[] =>
    some.filter(
      ({ pattern }) => !others.some((other) => other.pattern === pattern),
    );
  return { removed: without(then, now), added: without(now, then) };
}

function patternsOf({ layers }: WireValue): readonly PlacedPattern[] {
  return layers.flatMap((layer) => {
    const { pattern } = layer.constraints;
    return pattern === undefined ? [] : [{ pattern, layer }];
  });
}

/** One integer of each length. */
const integers = Array.from(
  { length: 20 },
  (_, zeros) => `1${"0".repeat(zeros)}`,
);

/** Finds string aliases that no longer accept JSON integers. */
export function findRefusedIntegers(
  pair: Pair<WireValue>,
): readonly LimitChange[] {
  const accepting = pair.before.layers.find((layer) => layer.acceptsInteger);
  const isKept = pair.after.layers.some((layer) => layer.acceptsInteger);
  if (accepting === undefined || isKept) return [];
  if (!integers.some((text) => fitsLimits(text, pair.before))) return [];
  return [
    {
      key: "accept",
      before: "integer",
      after: undefined,
      isCertain: true,
      now: {},
      subjects: {
        before: accepting.subject,
        after: sameLayer(accepting, pair.after) ?? pair.after.subject,
      },
    },
  ];
}

/** Prints a changed limit, e.g. `` `maxLength` changed from 500 to 100 ``. */
export function printLimitChange({ key, before, after }: LimitChange): string {
  if (before === undefined) return `\`${key} = ${String(after)}\` was added`;
  if (after === undefined) return `\`${key} = ${String(before)}\` was removed`;
  return `\`${key}\` changed from ${String(before)} to ${String(after)}`;
}

function tightest(
  { read, isTighter }: LimitKind,
  { layers }: WireValue,
): LimitLayer | undefined {
  return layers
    .filter((layer) => read(layer) !== undefined)
    .reduce<LimitLayer | undefined>(
      (best, layer) =>
        best === undefined || isTighter(read(layer), read(best)) ? layer : best,
      undefined,
    );
}

/** Returns the limit that the type implies. Floats have no implied limit. */
function impliedLimit({ key }: LimitKind, { range }: WireValue): Limit {
  return key === "minimum" || key === "maximum" ? range?.[key] : undefined;
}

/** Finds the same alias in the other version, if it exists there. */
function sameLayer(
  { subject }: LimitLayer,
  { layers }: WireValue,
): Subject | undefined {
  return layers.find(
    (layer) =>
      layer.subject.kind === "type" &&
      subject.kind === "type" &&
      layer.subject.name === subject.name,
  )?.subject;
}

function isAbove(one: Limit, other: Limit): boolean {
  if (one === undefined) return false;
  return other === undefined || one > other;
}

function isBelow(one: Limit, other: Limit): boolean {
  if (one === undefined) return false;
  return other === undefined || one < other;
}

function isSet(one: Limit, other: Limit): boolean {
  return one !== undefined && other === undefined;
}
