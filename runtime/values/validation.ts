import type { MakeEmpty } from "./empty.js";
import { same } from "./same.js";
import { isUnique, type ItemKey } from "./unique.js";
import { renderGot, type Failure } from "./failure.js";
import { isRecord } from "./predicates.js";

export { printFailures, toPointer, type Failure } from "./failure.js";
export { byteLengthOf } from "./byte-length.js";
export { emptyBytes, emptyList, emptyMap } from "./empty.js";
export * from "./predicates.js";
export { keyOfEach, keyOfFields, type ItemKey } from "./unique.js";
export { unrolled } from "./unrolled.js";

/** Maximum number of failures in a report. Validation stops after that. */
export const maxFailures = 20;

/** Maximum number of nested levels to validate, the same as for `parseJson`. */
export const maxDepth = 1000;

/** Options for validation. */
export interface ReportOptions {
  /**
   * Whether to remove null where a field may be absent, and to replace null
   * with an empty list, map, or bytes where Go sends null instead. Default: the
   * value is not changed.
   */
  readonly dropsNulls?: boolean;
}

/**
 * Receives the failures that checks find in one message.
 *
 * A check calls `fail` or `failAt` for each invalid value. It calls `enter`
 * before it validates a nested value, and `leave` afterward, to give failures
 * their paths.
 */
export interface Report {
  /** The failures so far. After `maxFailures`, a check can stop. */
  readonly failures: readonly unknown[];
  /**
   * The path of the current value. A list's check replaces the last key for
   * each item.
   */
  readonly path: (string | number)[];
  /** Whether to remove or replace null, as in {@link ReportOptions}. */
  readonly dropsNulls: boolean;
  /** The number of sensitive values that contain the current value. */
  hidden: number;
  /**
   * Reports that the current value is not `expected`, e.g. `an object`. `got`
   * describes the value (default: a short form of it).
   */
  fail(expected: string, value: unknown, got?: string): void;
  /** Reports that the property or item `key` is not `expected`. */
  failAt(key: string | number, expected: string, value: unknown): void;
  /** Starts validating the property or item at `key`. */
  enter(key: string | number): void;
  /** Ends validation of the current property or item. */
  leave(): void;
}

/** A report that describes invalid values unless they are sensitive. */
export class FailureReport implements Report {
  readonly failures: Failure[] = [];
  readonly path: (string | number)[] = [];
  readonly dropsNulls: boolean;
  hidden = 0;

  constructor({ dropsNulls = false }: ReportOptions = {}) {
    this.dropsNulls = dropsNulls;
  }

  fail(expected: string, value: unknown, got?: string): void {
    this.#add([...this.path], expected, value, got);
  }

  failAt(key: string | number, expected: string, value: unknown): void {
    if (!isFull(this)) this.#add([...this.path, key], expected, value);
  }

  /**
   * Starts validating a nested value. Errors: TooDeepError beyond `maxDepth`
   * levels.
   */
  enter(key: string | number): void {
    this.path.push(key);
    if (this.path.length <= maxDepth) return;
    const failure = `at most ${maxDepth} levels`;
    this.failures.unshift({ path: [], expected: failure, got: "more" });
    throw new TooDeepError(failure);
  }

  leave(): void {
    this.path.pop();
  }

  #add(
    path: readonly (string | number)[],
    expected: string,
    value: unknown,
    shown?: string,
  ): void {
    if (isFull(this)) return;
    const isHidden = this.hidden > 0 && value !== undefined;
    const got = isHidden ? "a hidden value" : (shown ?? renderGot(value));
    this.failures.push({ path, expected, got });
  }
}

function isFull({ failures }: Report): boolean {
  return failures.length >= maxFailures;
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

/** Thrown if a message is nested too deeply. `validate` catches it. */
export class TooDeepError extends RangeError {
  override readonly name = "TooDeepError";
}

/** Validates a value and reports failures. */
export type Check = (value: unknown, report: Report) => void;

/** Whether a value is valid. */
export type Predicate = (value: unknown) => boolean;

/**
 * Validates a value.
 *
 * Returns the failures, or an empty list if the value is valid.
 */
export function validate(
  check: Check,
  value: unknown,
  options?: ReportOptions,
): readonly Failure[] {
  const report = new FailureReport(options);
  try {
    check(value, report);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
  }
  return report.failures;
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
  if (!isRecord(value)) {
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
