import type { Constraints } from "../ir/contract.js";

/** A limit that is another one than before. */
export interface LimitChange {
  readonly key: keyof Constraints;
  readonly before: Constraints[keyof Constraints];
  readonly after: Constraints[keyof Constraints];
}

/** Larger values allow less. */
const lower = ["minimum", "minLength", "minItems", "minProperties"] as const;
/** Smaller values allow less. */
const upper = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
/** Having one allows less than having none. */
const others = ["pattern", "format", "uniqueItems"] as const;

/**
 * Where `after` allows less than `before`. Patterns that are other ones are
 * left out: nobody can say which allows more.
 */
export function findTightened(
  before: Constraints,
  after: Constraints,
): readonly LimitChange[] {
  const changed = (key: keyof Constraints): LimitChange => ({
    key,
    before: before[key],
    after: after[key],
  });
  return [
    ...lower.filter((key) => isAbove(after[key], before[key])),
    ...upper.filter((key) => isAbove(negate(after[key]), negate(before[key]))),
    ...others.filter((key) => isSet(after[key]) && !isSet(before[key])),
  ].map(changed);
}

/** Where `after` allows more than `before`. */
export function findLoosened(
  before: Constraints,
  after: Constraints,
): readonly LimitChange[] {
  return findTightened(after, before).map((back) => ({
    key: back.key,
    before: back.after,
    after: back.before,
  }));
}

/** E.g. `` `maxLength` from 500 to 100 ``, `` `pattern` is new ``. */
export function printLimitChange({ key, before, after }: LimitChange): string {
  if (!isSet(before)) return `\`${key} = ${String(after)}\` is new`;
  if (!isSet(after)) return `\`${key} = ${String(before)}\` is gone`;
  return `\`${key}\` from ${String(before)} to ${String(after)}`;
}

function isSet(value: Constraints[keyof Constraints]): boolean {
  return value !== undefined && value !== false;
}

type Limit = number | bigint | undefined;

function isAbove(one: Limit, other: Limit): boolean {
  if (one === undefined) return false;
  return other === undefined || one > other;
}

function negate(limit: Limit): Limit {
  return limit === undefined ? undefined : -limit;
}
