import { isRecord } from "./predicates.js";
import type { Report } from "./report.js";

/**
 * The tag of a variant that this version of the contract does not know. No
 * contract should have these values, because a `switch` would not narrow them.
 */
declare enum UnknownTag {
  text = "\0unknown",
}

/** Such a tag of a union whose tags are numbers. */
declare enum UnknownNumber {
  number = -1.7976931348623157e308,
}

/**
 * A variant of an open union that this version of the contract does not know.
 * Its members are as they were received. `Value` is the type of the tags.
 */
export type UnknownVariant<
  Tag extends string,
  Value extends string | number = string,
> = {
  readonly [Key in Tag]: Value extends number ? UnknownNumber : UnknownTag;
} & { readonly [key: string]: unknown };

/** Maximum number of tags that a failure lists. */
const maxListed = 12;

/** Reports that the tag of a union is none of those that are known. */
export function failTag(
  report: Report,
  tag: string,
  tags: readonly (bigint | boolean | number | string)[],
  found: unknown,
): void {
  const shown = tags.slice(0, maxListed).map(quote).join(", ");
  const rest = tags.length - maxListed;
  const all = rest > 0 ? `${shown} and ${rest} more` : shown;
  // A hint would show most of a sensitive value.
  const meant =
    report.hidden > 0 ? undefined : tags.find((each) => isNear(each, found));
  const advice = meant === undefined ? "" : ` (did you mean ${quote(meant)}?)`;
  report.failAt(
    tag,
    `${tags.length > 1 ? "one of " : ""}${all}${advice}`,
    found,
  );
}

function quote(tag: bigint | boolean | number | string): string {
  return typeof tag === "string" ? JSON.stringify(tag) : String(tag);
}

/**
 * Whether two texts differ in one place, or only in case, and have something in
 * common.
 */
function isNear(tag: unknown, found: unknown): boolean {
  if (typeof tag !== "string" || typeof found !== "string") return false;
  const [a, b] = [tag.toLowerCase(), found.toLowerCase()];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  const shorter = Math.min(a.length, b.length);
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const common = start + end;
  return common > 0 && Math.max(a.length, b.length) - common <= 1;
}

/** Whether exactly one of the members of an object is present. */
export function hasOneOf(value: unknown, names: readonly string[]): boolean {
  if (!isRecord(value)) return false;
  const present = names.filter(
    (name) => Object.hasOwn(value, name) && value[name] != null,
  );
  return present.length === 1;
}
