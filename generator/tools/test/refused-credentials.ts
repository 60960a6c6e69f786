import type { TestedMethod } from "./tested-method.js";
import type { CheckReport, Failure, MethodReport } from "./method-report.js";

/**
 * Finds out whether a server refused the caller's credentials, which makes most
 * checks of the method fail in the same way.
 *
 * Returns the checks with only the first of these failures, and the headers of
 * the credentials that may be wrong.
 */
export function findRefused(
  { method: { credentials } }: TestedMethod,
  answers: ReadonlyMap<string, number>,
  checks: readonly CheckReport[],
): Pick<MethodReport, "checks" | "refused"> {
  const errors = new Set(credentials.map(({ error }) => error));
  const refusals = new Set(answers.keys());
  const isRefusal = ({ error }: Failure): boolean =>
    error !== null && refusals.has(error);
  // A handler can also return these errors, but only for valid messages.
  const [first] = checks.flatMap(({ failures }) => failures.filter(isRefusal));
  const isRefused = [...refusals].every((name) => errors.has(name));
  if (!isRefused || first === undefined) return { checks, refused: [] };
  return {
    checks: checks.map((check) => ({
      ...check,
      failures: check.failures.filter(
        (failure) => failure === first || !isRefusal(failure),
      ),
    })),
    refused: credentials
      .filter(({ error }) => refusals.has(error))
      .map(({ header }) => header),
  };
}
