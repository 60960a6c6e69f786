import type { Failure } from "./failure.js";
import {
  type Check,
  FailureReport,
  type ReportOptions,
  TooDeepError,
} from "./report.js";

export { printFailures, toPointer, type Failure } from "./failure.js";
export * from "./predicates.js";
export {
  type Check,
  FailureReport,
  type Report,
  type ReportOptions,
} from "./report.js";

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
