import { renderGot, type Failure } from "./failure.js";

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
  /**
   * Whether to remove the fields that the contract does not declare. Applies to
   * structs that requests contain. Default: these fields are ignored.
   */
  readonly dropsUnknown?: boolean;
  /**
   * Whether a caller sent the value, so that strings with `accept = integer` can
   * be integers. Default: such an integer is invalid.
   */
  readonly isRequest?: boolean;
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
  /** Whether to remove undeclared fields, as in {@link ReportOptions}. */
  readonly dropsUnknown: boolean;
  /** Whether a caller sent the value, as in {@link ReportOptions}. */
  readonly isRequest: boolean;
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
  readonly dropsUnknown: boolean;
  readonly isRequest: boolean;
  hidden = 0;

  constructor({
    dropsNulls = false,
    dropsUnknown = false,
    isRequest = false,
  }: ReportOptions = {}) {
    this.dropsNulls = dropsNulls;
    this.dropsUnknown = dropsUnknown;
    this.isRequest = isRequest;
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

/** Whether a check can stop, because the report has enough failures. */
export function isFull({ failures }: Report): boolean {
  return failures.length >= maxFailures;
}

/** Thrown if a message is nested too deeply. `validate` catches it. */
export class TooDeepError extends RangeError {
  override readonly name = "TooDeepError";
}

/** Validates a value and reports failures. */
export type Check = (value: unknown, report: Report) => void;

/** Whether a value is valid. */
export type Predicate = (value: unknown) => boolean;
