import type { MakeEmpty } from "../values/empty.js";
import { extraMembers } from "../values/extra.js";
import { isOpaque } from "../values/opaque.js";
import { isRecord } from "../values/predicates.js";
import {
  type Check,
  isFull,
  type Predicate,
  type Report,
} from "../values/report.js";
import { same } from "../values/same.js";
import { isUnique, type ItemKey } from "../values/unique.js";

export { byteLengthOf } from "../values/byte-length.js";
export { emptyBytes, emptyList, emptyMap } from "../values/empty.js";
export {
  keyOfEach,
  keyOfFields,
  keyOfMembers,
  type ItemKey,
} from "../values/unique.js";
export { unrolled } from "../values/unrolled.js";

/**
 * Removes all fields of a struct but these, if the report drops unknown fields.
 * Otherwise, `Object.assign` of a request could set a prototype that the sender
 * chose, because JSON can have a field with the name `__proto__`.
 */
export function dropUnknown(
  record: Record<string, unknown>,
  fields: ReadonlySet<string>,
  { dropsUnknown }: Report,
): void {
  if (!dropsUnknown) return;
  for (const key in record) if (!fields.has(key)) delete record[key];
}

/**
 * Checks the members of an object that no field declares, which a map collects.
 *
 * Input: the object, the names of its fields, and the check of the map.
 */
export function checkExtra(
  record: Record<string, unknown>,
  fields: ReadonlySet<string>,
  check: Check,
  report: Report,
): void {
  const extra = extraMembers(record, fields);
  check(extra, report);
  // The check may have replaced null. Every key is the object's own.
  if (report.dropsNulls) for (const key in extra) record[key] = extra[key];
}

/**
 * Removes null at `key`, where it means an absent field, if the report drops
 * nulls.
 */
export function dropNull(
  record: Record<string, unknown>,
  key: string,
  { dropsNulls }: Report,
): void {
  if (dropsNulls) delete record[key];
}

/** Replaces null at `key` with an empty value if the report drops nulls. */
export function fillNull(
  holder: object,
  key: string,
  makeEmpty: MakeEmpty,
  { dropsNulls }: Report,
): void {
  if (dropsNulls && Reflect.get(holder, key) === null)
    Reflect.set(holder, key, makeEmpty());
}

/**
 * Returns a check for strings with `accept = integer`, given a predicate that
 * both strings and integers pass. Only requests can contain integers.
 */
export function textOrInteger(predicate: Predicate, title: string): Check {
  return (value, report) => {
    const isKind = typeof value === "string" || report.isRequest;
    if (!isKind || !predicate(value)) report.fail(title, value);
  };
}

/** Returns a check for values that can also be null. */
export function orNull(check: Check): Check {
  return (value, report) => {
    if (value !== null) check(value, report);
  };
}

/** Returns a predicate for values that can also be null. */
export function isNullOr(predicate: Predicate): Predicate {
  return (value) => value === null || predicate(value);
}

/** A replacement for null in a list or map. */
interface Filling {
  /** Creates a replacement for null. Default: null is invalid. */
  readonly nullAs?: MakeEmpty;
}

/** Limits of a list. */
export interface ListLimits extends Filling {
  /** Minimum number of items. Default: 0. */
  readonly minItems?: number;
  /** Maximum number of items. Default: unlimited. */
  readonly maxItems?: number;
  /**
   * Whether items must differ, or a function that converts them to the values
   * that must differ. Default: `false`.
   */
  readonly uniqueItems?: boolean | ItemKey;
}

/** Limits of a map. */
export interface MapLimits extends Filling {
  /** Minimum number of entries. Default: 0. */
  readonly minProperties?: number;
  /** Maximum number of entries. Default: unlimited. */
  readonly maxProperties?: number;
  /** Validates a key, e.g. `keyOf(isUint8)`. Default: any key is valid. */
  readonly isKey?: (key: string) => boolean;
  /** Describes valid keys in failures, e.g. `an unsigned 8-bit integer`. */
  readonly keyTitle?: string;
}

/** Returns a check for lists, given a check for their items. */
export function listOf(check: Check, limits: ListLimits = {}): Check {
  return (value, report) => {
    if (!isListWithin(value, limits, report) || value.length === 0) return;
    const { length } = report.failures;
    report.enter(0);
    const depth = report.path.length - 1;
    for (let index = 0; index < value.length && !isFull(report); index += 1) {
      report.path[depth] = index;
      check(value[index], report);
    }
    report.leave();
    if (length === report.failures.length) checkUnique(value, limits, report);
  };
}

/** Returns a check for lists, given a predicate and a title for their items. */
export function listOfValues(
  predicate: Predicate,
  title: string,
  limits: ListLimits = {},
): Check {
  return (value, report) => {
    if (!isListWithin(value, limits, report)) return;
    const { length } = report.failures;
    for (let index = 0; index < value.length && !isFull(report); index += 1) {
      if (!predicate(value[index])) report.failAt(index, title, value[index]);
    }
    if (length === report.failures.length) checkUnique(value, limits, report);
  };
}

/** Returns a check for maps, given a check for their values. */
export function mapOf(check: Check, limits: MapLimits = {}): Check {
  return (value, report) => {
    if (!isMapWithin(value, limits, report)) return;
    for (const [key, item] of Object.entries(value)) {
      if (isFull(report)) return;
      // JSON omits members whose value is undefined.
      if (item === undefined) continue;
      // The keys of a sensitive map are also hidden.
      report.enter(report.hidden > 0 ? "*" : key);
      if (limits.isKey?.(key) ?? true) check(item, report);
      else report.fail(`${limits.keyTitle ?? "a valid string"} as a key`, key);
      report.leave();
    }
  };
}

/** Returns a check for maps, given a predicate and a title for their values. */
export function mapOfValues(
  predicate: Predicate,
  title: string,
  limits: MapLimits = {},
): Check {
  return mapOf((value, report) => {
    if (!predicate(value)) report.fail(title, value);
  }, limits);
}

/** Replaces null among the items or entries of a list or map. */
function fillNulls(
  holder: object,
  makeEmpty: MakeEmpty | undefined,
  report: Report,
): void {
  if (makeEmpty === undefined || !report.dropsNulls) return;
  for (const key of Object.keys(holder)) {
    fillNull(holder, key, makeEmpty, report);
  }
}

function isListWithin(
  value: unknown,
  { minItems = 0, maxItems = Infinity, nullAs }: ListLimits,
  report: Report,
): value is unknown[] {
  if (!Array.isArray(value)) {
    report.fail("a list", value);
    return false;
  }
  fillNulls(value, nullAs, report);
  if (value.length < minItems)
    report.fail(`a list of at least ${countOf(minItems, "item")}`, value);
  else if (value.length > maxItems)
    report.fail(`a list of at most ${countOf(maxItems, "item")}`, value);
  else return true;
  return false;
}

/**
 * Checks that the items of a list differ. The items must have been checked
 * before, because this drops their nulls, and invalid items have no key.
 */
function checkUnique(
  list: readonly unknown[],
  { uniqueItems = false }: ListLimits,
  report: Report,
): void {
  if (uniqueItems === false || isFull(report)) return;
  if (!isUnique(list, uniqueItems === true ? same : uniqueItems))
    report.fail("a list without duplicates", list);
}

function isMapWithin(
  value: unknown,
  { minProperties = 0, maxProperties = Infinity, nullAs }: MapLimits,
  report: Report,
): value is Record<string, unknown> {
  if (!isRecord(value) || isOpaque(value)) {
    report.fail("an object", value);
    return false;
  }
  fillNulls(value, nullAs, report);
  if (minProperties === 0 && maxProperties === Infinity) return true;
  // JSON omits members whose value is undefined.
  const { length } = Object.values(value).filter((item) => item !== undefined);
  const fail = (range: string, limit: number): boolean => {
    const expected = `an object with ${range} ${countOf(limit, "entry")}`;
    report.fail(expected, value, `one with ${length}`);
    return false;
  };
  if (length < minProperties) return fail("at least", minProperties);
  if (length > maxProperties) return fail("at most", maxProperties);
  return true;
}

/** Prints e.g. `1 item` or `2 entries`. */
function countOf(size: number, unit: "item" | "entry"): string {
  if (size === 1) return `1 ${unit}`;
  return `${size} ${unit === "item" ? "items" : "entries"}`;
}
