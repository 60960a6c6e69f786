import type { MakeEmpty } from "./empty.js";
import { isUnique } from "./unique.js";
import { renderGot, type Failure } from "./failure.js";
import { isRecord } from "./predicates.js";

export { printFailures, toPointer, type Failure } from "./failure.js";
export { byteLengthOf } from "./byte-length.js";
export { emptyBytes, emptyList, emptyMap } from "./empty.js";
export * from "./predicates.js";
export { unrolled } from "./unrolled.js";

/** Failures that one report keeps; the rest of the message is not looked at. */
export const maxFailures = 20;

/** Levels that a check goes down; as many as `parseJson` lets through. */
export const maxDepth = 1000;

/** What a check may do besides. */
export interface ReportOptions {
  /**
   * Whether null that stands for an absent field, as Go sends it, is taken away
   * from the value, and null that stands for an empty list, map or bytes is
   * replaced. Otherwise the value is left as it is.
   */
  readonly dropsNulls?: boolean;
}

/**
 * What a check has found. One is made for each message.
 *
 * A check calls `fail` or `failAt` where a value does not fit, and brackets what
 * it does inside a value with `enter` and `leave`, so that failures have paths.
 */
export class Report {
  readonly #failures: Failure[] = [];
  readonly #path: (string | number)[] = [];
  readonly #dropsNulls: boolean;
  #hidden = 0;

  constructor({ dropsNulls = false }: ReportOptions = {}) {
    this.#dropsNulls = dropsNulls;
  }

  /** In the order in which they were found, at most `maxFailures`. */
  get failures(): readonly Failure[] {
    return this.#failures;
  }

  /** Whether nothing has failed. */
  get isClean(): boolean {
    return this.#failures.length === 0;
  }

  /** Whether it keeps no more failures, so that a check may stop. */
  get isFull(): boolean {
    return this.#failures.length >= maxFailures;
  }

  /** The value that is being checked is not `expected`, e.g. `an object`. */
  fail(expected: string, value: unknown): void {
    this.#add([...this.#path], expected, value);
  }

  /** Its property or item `key` is not `expected`. */
  failAt(key: string | number, expected: string, value: unknown): void {
    if (!this.isFull) this.#add([...this.#path, key], expected, value);
  }

  /** Null at `key` stands for an absent field. */
  dropNull(record: Record<string, unknown>, key: string): void {
    if (this.#dropsNulls) delete record[key];
  }

  /** Replaces null at `key`, which stands for something empty. */
  fillNull(
    holder: Record<string, unknown>,
    key: string,
    makeEmpty: MakeEmpty,
  ): void {
    if (this.#dropsNulls && holder[key] === null) holder[key] = makeEmpty();
  }

  /** Replaces null among the items or entries of a list or map. */
  fillNulls(holder: object, makeEmpty: MakeEmpty | undefined): void {
    if (makeEmpty === undefined || !this.#dropsNulls) return;
    for (const [key, item] of Object.entries(holder)) {
      if (item === null) Reflect.set(holder, key, makeEmpty());
    }
  }

  /**
   * Goes into the property or item `key`.
   *
   * Errors: TooDeepError beyond `maxDepth` levels, which is a failure too.
   */
  enter(key: string | number): void {
    this.#path.push(key);
    if (this.#path.length <= maxDepth) return;
    const failure = `at most ${maxDepth} levels`;
    this.#failures.unshift({ path: [], expected: failure, got: "more" });
    throw new TooDeepError(failure);
  }

  /** Goes on to another property or item beside the one entered last. */
  goOn(key: string | number): void {
    this.#path[this.#path.length - 1] = key;
  }

  /** Comes out of it again. */
  leave(): void {
    this.#path.pop();
  }

  /** Whether values are not to be repeated in failures. */
  get isHiding(): boolean {
    return this.#hidden > 0;
  }

  /** From here on, values are not repeated in failures. May be nested. */
  hide(): void {
    this.#hidden += 1;
  }

  /** Ends the last `hide`. */
  show(): void {
    this.#hidden -= 1;
  }

  #add(path: readonly (string | number)[], expected: string, value: unknown) {
    if (this.isFull) return;
    const isHidden = this.isHiding && value !== undefined;
    const got = isHidden ? "a hidden value" : renderGot(value);
    this.#failures.push({ path, expected, got });
  }
}

/** A check has gone down too far; `validate` catches it. */
export class TooDeepError extends RangeError {
  override readonly name = "TooDeepError";
}

/** Looks at a value and tells the report where it does not fit. */
export type Check = (value: unknown, report: Report) => void;

/** Whether a value fits, when there is no more to say than yes or no. */
export type Predicate = (value: unknown) => boolean;

/**
 * Runs a check.
 *
 * Output: the failures; none when the value fits.
 */
export function validate(
  check: Check,
  value: unknown,
  options?: ReportOptions,
): readonly Failure[] {
  const report = new Report(options);
  try {
    check(value, report);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
  }
  return report.failures;
}

/** What null in a list or map is read as. */
interface Filling {
  /** Makes it; null is refused if absent. */
  readonly nullAs?: MakeEmpty;
}

/** How many items a list may have. Absent means unlimited. */
export interface ListLimits extends Filling {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** How many entries a map may have, and its keys. Absent means unlimited. */
export interface MapLimits extends Filling {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** What a key must be, e.g. `keyOf(isUint8)`. */
  readonly isKey?: (key: string) => boolean;
  /** Name of such a key, e.g. `an unsigned 8-bit integer`. */
  readonly keyTitle?: string;
}

/** A check for lists whose items have a check of their own. */
export function listOf(check: Check, limits: ListLimits = {}): Check {
  return (value, report) => {
    if (!isListWithin(value, limits, report) || value.length === 0) return;
    report.enter(0);
    for (let index = 0; index < value.length && !report.isFull; index += 1) {
      report.goOn(index);
      check(value[index], report);
    }
    report.leave();
  };
}

/** A check for lists whose items are described by a predicate and its title. */
export function listOfValues(
  predicate: Predicate,
  title: string,
  limits: ListLimits = {},
): Check {
  return (value, report) => {
    if (!isListWithin(value, limits, report)) return;
    for (let index = 0; index < value.length && !report.isFull; index += 1) {
      if (!predicate(value[index])) report.failAt(index, title, value[index]);
    }
  };
}

/** A check for maps whose values have a check of their own. */
export function mapOf(check: Check, limits: MapLimits = {}): Check {
  return (value, report) => {
    if (!isMapWithin(value, limits, report)) return;
    for (const [key, item] of Object.entries(value)) {
      if (report.isFull) return;
      // JSON leaves it out.
      if (item === undefined) continue;
      // The keys of a sensitive map are part of what is hidden.
      report.enter(report.isHiding ? "*" : key);
      if (limits.isKey?.(key) ?? true) check(item, report);
      else report.fail(`${limits.keyTitle ?? "another text"} as key`, key);
      report.leave();
    }
  };
}

/** A check for maps whose values are described by a predicate and its title. */
export function mapOfValues(
  predicate: Predicate,
  title: string,
  limits: MapLimits = {},
): Check {
  return mapOf((value, report) => {
    if (!predicate(value)) report.fail(title, value);
  }, limits);
}

function isListWithin(
  value: unknown,
  {
    minItems = 0,
    maxItems = Infinity,
    uniqueItems = false,
    nullAs,
  }: ListLimits,
  report: Report,
): value is unknown[] {
  if (!Array.isArray(value)) {
    report.fail("a list", value);
    return false;
  }
  report.fillNulls(value, nullAs);
  if (value.length < minItems)
    report.fail(`a list of at least ${countOf(minItems, "item")}`, value);
  else if (value.length > maxItems)
    report.fail(`a list of at most ${countOf(maxItems, "item")}`, value);
  else if (uniqueItems && !isUnique(value))
    report.fail("a list without duplicates", value);
  else return true;
  return false;
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
  report.fillNulls(value, nullAs);
  const { length } = Object.keys(value);
  if (length < minProperties)
    report.fail(
      `an object of at least ${countOf(minProperties, "entry")}`,
      value,
    );
  else if (length > maxProperties)
    report.fail(
      `an object of at most ${countOf(maxProperties, "entry")}`,
      value,
    );
  else return true;
  return false;
}

/** E.g. `1 item`, `2 entries`. */
function countOf(size: number, unit: "item" | "entry"): string {
  if (size === 1) return `1 ${unit}`;
  return `${size} ${unit === "item" ? "items" : "entries"}`;
}
