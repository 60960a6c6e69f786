import type { Quirk } from "./quirks.js";
import type { Failure, MethodReport } from "./method-report.js";

/** The result of testing a server. */
export interface TestReport {
  readonly url: string;
  readonly seed: number;
  readonly methods: readonly MethodReport[];
  /** Methods that were not called, with the reasons. */
  readonly skipped: readonly SkippedMethod[];
  /**
   * The command that repeats the run. `--method` restricts it to one method.
   */
  readonly command: string;
}

/** A method that was not called. */
export interface SkippedMethod {
  readonly method: string;
  readonly reason: SkipReason;
}

/** The reason why a method was not called. */
export type SkipReason =
  "may change data" | "is a stream of requests" | "is called by the server";

/** Lists all failures with the reports of their methods. */
export function failuresOf({
  methods,
}: TestReport): readonly (readonly [MethodReport, Failure])[] {
  return methods.flatMap((method) =>
    method.checks.flatMap(({ failures }) =>
      failures.map((failure) => [method, failure] as const),
    ),
  );
}

/** Counts the requests that were sent. */
export function requestsOf({ methods }: TestReport): number {
  return methods
    .flatMap(({ checks }) => checks)
    .reduce((sum, { requests }) => sum + requests, 0);
}

/**
 * Lists the quirks that were seen, with the first request that shows each of
 * them.
 */
export function quirksOf({ methods }: TestReport): ReadonlyMap<Quirk, string> {
  const found = new Map<Quirk, string>();
  for (const { curl, quirk } of methods.flatMap(({ quirks }) => quirks)) {
    if (!found.has(quirk)) found.set(quirk, curl);
  }
  return found;
}
