import type { CaseResult } from "./exceptions.js";

/** Returns the line about a case, or null if it needs none. */
export function printResult(
  { exception, fault, name }: CaseResult,
  all: boolean,
): string | null {
  if (exception !== null) return all ? `except  ${name}: ${exception}` : null;
  if (fault !== null) return `FAIL  ${name}: ${fault}`;
  return all ? `pass  ${name}` : null;
}

/** Returns the numbers of cases by what came of them. */
export function printTotal(results: readonly CaseResult[]): string {
  const excepted = results.filter(({ exception }) => exception !== null);
  const own = results.filter(({ exception }) => exception === null);
  const failed = own.filter(({ fault }) => fault !== null);
  return [
    `${own.length - failed.length} passed`,
    `${failed.length} failed`,
    `${excepted.length} exceptions`,
  ].join(", ");
}
