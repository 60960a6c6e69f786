import type { CheckName } from "./checks.js";
import type { Habit } from "./habits.js";
import type { Mismatch } from "./judge.js";

/** What came out of the test of a method. */
export interface MethodReport {
  readonly host: string;
  /** E.g. `Shop.GetBook`. */
  readonly method: string;
  readonly checks: readonly CheckReport[];
  /**
   * How many valid messages were answered with success, under `success`, and with
   * which error, by its name.
   */
  readonly answers: Readonly<Record<string, number>>;
  /** Headers of credentials that it needs and that were not given. */
  readonly missing: readonly string[];
  /** Headers of credentials that the server refused, though they were given. */
  readonly refused: readonly string[];
  readonly habits: readonly HabitReport[];
  /** Whether the server says that it is one of webrpc's. */
  readonly isWebrpc: boolean;
}

/** What came out of one check of a method. */
export interface CheckReport {
  readonly name: CheckName;
  readonly requests: number;
  readonly failures: readonly Failure[];
  /** Whether time ended before all requests were sent. */
  readonly isCutShort: boolean;
}

/** The smallest request that was found for a mismatch. */
export interface Failure extends Mismatch {
  /** What is special about the request, e.g. "`isbn` is null"; or "". */
  readonly what: string;
  readonly curl: string;
}

/** A habit of webrpc's servers, and a request that shows it. */
export interface HabitReport {
  readonly habit: Habit;
  readonly curl: string;
}
