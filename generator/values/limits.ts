import { findBrokenLimit } from "../ir/broken-limit.js";
import type { Constraints } from "../ir/contract.js";
import type { WideInteger } from "../ir/scalars.js";
import { formats } from "../ir/text-rule.js";

/** The range of an integer type that has none of its own. */
export const unlimited = [-(2n ** 1024n), 2n ** 1024n] as const;

/**
 * Returns the first and the last integer within all limits. If no integer is
 * within them, the first is larger than the last.
 */
export function integersWithin(
  [first, last]: readonly [bigint, bigint],
  limits: readonly Constraints[],
): readonly [bigint, bigint] {
  let [low, high] = [first, last];
  for (const { maximum, minimum } of limits) {
    const lower = minimum === undefined ? low : toBigint(minimum, Math.ceil);
    const upper = maximum === undefined ? high : toBigint(maximum, Math.floor);
    if (lower > low) low = lower;
    if (upper < high) high = upper;
  }
  return [low, high];
}

function toBigint(
  limit: number | bigint,
  round: (value: number) => number,
): bigint {
  return typeof limit === "bigint" ? limit : BigInt(round(limit));
}

/** Returns the minimum and maximum length within limits, in code points. */
export function lengthsOf(limits: readonly Constraints[]): {
  readonly min: number;
  readonly max: number;
} {
  return {
    min: Math.max(0, ...limits.map(({ minLength = 0 }) => minLength)),
    max: Math.min(...limits.map(({ maxLength = Infinity }) => maxLength)),
  };
}

/**
 * Returns a function that checks whether a string is within limits, as
 * validators do.
 */
export function textTest(
  limits: readonly Constraints[],
): (text: string) => boolean {
  const tests = limits.flatMap(({ pattern }) =>
    pattern === undefined ? [] : new RegExp(pattern, "u"),
  );
  const { max, min } = lengthsOf(limits);
  const rules = limits.flatMap(({ format }) =>
    format === undefined ? [] : formats[format],
  );
  const lists = limits.flatMap((each) => (each.enum ? [each.enum] : []));
  return (text) => {
    const { length } = Array.from(text);
    return (
      lists.every((list) => list.includes(text)) &&
      length >= min &&
      length <= max &&
      rules.every((rule) => rule.fits(text)) &&
      tests.every((pattern) => pattern.test(text))
    );
  };
}

/** Whether a type or field has constraints. Most have none. */
export function hasLimits(constraints: Constraints): boolean {
  for (const _ in constraints) return true;
  return false;
}

/** Whether limits keep a 64-bit integer within ±(2^53-1). */
export function isBoundToSafe(
  name: WideInteger,
  { enum: allowed, maximum, minimum }: Constraints,
): boolean {
  if (allowed !== undefined) return allowed.every(Number.isSafeInteger);
  const isBelow = maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER;
  const isAbove = minimum !== undefined && minimum >= Number.MIN_SAFE_INTEGER;
  return isBelow && (isAbove || name === "uint64");
}

/**
 * Merges two sets of constraints. The tighter of two limits applies. Otherwise,
 * `near` takes precedence.
 */
export function mergeConstraints(
  near: Constraints,
  far: Constraints,
): Constraints {
  if (!hasLimits(far)) return near;
  if (!hasLimits(near)) return far;
  const merged = {
    enum: allowedByBoth(near, far),
    minimum: largest(near.minimum, far.minimum),
    maximum: smallest(near.maximum, far.maximum),
    minLength: largest(near.minLength, far.minLength),
    maxLength: smallest(near.maxLength, far.maxLength),
    pattern: near.pattern ?? far.pattern,
    format: near.format ?? far.format,
    minItems: largest(near.minItems, far.minItems),
    maxItems: smallest(near.maxItems, far.maxItems),
    uniqueItems: near.uniqueItems ?? far.uniqueItems,
    minProperties: largest(near.minProperties, far.minProperties),
    maxProperties: smallest(near.maxProperties, far.maxProperties),
    example: near.example ?? far.example,
  };
  return withoutUndefined(merged);
}

/** Returns the values that both sets of constraints allow. */
function allowedByBoth(
  near: Constraints,
  far: Constraints,
): Constraints["enum"] {
  const values = near.enum ?? far.enum;
  return values?.filter((value) =>
    [near, far].every((limits) => findBrokenLimit(value, limits) === null),
  );
}

/** `T` with optional keys that can also be `undefined`. */
type Loose<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

function withoutUndefined(loose: Loose<Constraints>): Constraints {
  const entries = Object.entries(loose).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(entries);
}

function largest<N extends number | bigint>(
  a: N | undefined,
  b: N | undefined,
): N | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a >= b ? a : b;
}

function smallest<N extends number | bigint>(
  a: N | undefined,
  b: N | undefined,
): N | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a <= b ? a : b;
}
