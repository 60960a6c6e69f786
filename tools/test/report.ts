import type { Quirk } from "./quirks.js";
import type { CheckName } from "./checks.js";
import { groupBy } from "../../generator/ir/group-by.js";
import type { Mismatch, MismatchKind } from "./find-mismatch.js";

/** The result of testing a server. */
export interface TestReport {
  readonly url: string;
  readonly seed: number;
  readonly methods: readonly MethodReport[];
  /** Methods that were not called, with the reasons. */
  readonly skipped: readonly SkippedMethod[];
  /** The command that repeats the run. `--method` restricts it. */
  readonly command: string;
}

/** A method that was not called. */
export interface SkippedMethod {
  readonly method: string;
  readonly reason: SkipReason;
}

/** The reason why a method was not called. */
export type SkipReason =
  | "is answered by another server"
  | "is called by the server"
  | "is a stream of requests"
  | "may change data";

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

/** Failures with the same cause, and the reports of their methods. */
export type FailureGroup = ReturnType<typeof failuresOf>;

/** Responses that probably do not come from the server's own code. */
const foreign: ReadonlySet<MismatchKind> = new Set([
  "content-type",
  "no-answer",
  "no-envelope",
]);

/**
 * Groups failures with the same cause, e.g. a proxy that cannot find a path, or
 * a method that answers different requests with the same error.
 */
export function groupByCause(report: TestReport): readonly FailureGroup[] {
  const groups = groupBy(failuresOf(report), ([method, failure]) => {
    const { cause, kind } = failure;
    if (foreign.has(kind)) return `${kind} ${cause}`;
    return kind === "accepted" ? failure : `${method.method} ${kind} ${cause}`;
  });
  return [...groups.values()];
}

/** Counts the requests that were sent. */
export function requestsOf({ methods }: TestReport): number {
  return methods
    .flatMap(({ checks }) => checks)
    .reduce((sum, { requests }) => sum + requests, 0);
}

/**
 * Whether a method was never tested, because the server was too busy for each
 * request, never did the method's work, or failed for each message.
 */
export function isUntested({
  answers,
  checks,
  isUnproven,
  missing,
}: MethodReport): boolean {
  const judged = checks.reduce(
    (sum, each) => sum + each.requests - each.busy,
    0,
  );
  if (judged === 0 || isUnproven) return true;
  const names = Object.keys(answers);
  return (
    missing.length === 0 &&
    names.length > 0 &&
    names.every((name) => idle.has(name))
  );
}

/** Whether a response was checked that is a success with content. */
export function hasSucceeded({ answers, items }: MethodReport): boolean {
  return answers["success"] !== undefined && items !== 0;
}

/** Whether time ran out before all requests were sent. */
export function isCutShort({ methods }: TestReport): boolean {
  return methods.some(({ checks }) => checks.some((each) => each.isCutShort));
}

/** Whether time ran out before the first request of a method. */
export function isUnreached({ checks }: MethodReport): boolean {
  return (
    checks.every(({ requests }) => requests === 0) &&
    checks.some(({ isCutShort }) => isCutShort)
  );
}

/** Built-in errors for requests that a handler did not answer. */
const idle: ReadonlySet<string> = new Set([
  "WebrpcEndpoint",
  "WebrpcRequestFailed",
]);

/** Lists the quirks that were seen, with the first request of each. */
export function quirksOf({ methods }: TestReport): ReadonlyMap<Quirk, string> {
  const found = new Map<Quirk, string>();
  for (const { curl, quirk } of methods.flatMap(({ quirks }) => quirks)) {
    if (!found.has(quirk)) found.set(quirk, curl);
  }
  return found;
}

/** The result of testing a method. */
export interface MethodReport {
  readonly host: string;
  /** The displayed name, e.g. `Shop.GetBook`. */
  readonly method: string;
  readonly checks: readonly CheckReport[];
  /**
   * Whether every message failed and the errors do not show that the server has
   * read any of them.
   */
  readonly isUnproven: boolean;
  /** Number of responses to valid messages by error, or `success`. */
  readonly answers: Readonly<Record<string, number>>;
  /**
   * Number of items of streams, or of files other than HTML pages, in successes.
   * Null if the response of the method contains neither.
   */
  readonly items: number | null;
  /** Number of these responses by each status of a success in the contract. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Headers of required credentials that were not given. */
  readonly missing: readonly string[];
  /** Headers of given credentials that the server refused. */
  readonly refused: readonly string[];
  readonly quirks: readonly QuirkReport[];
  /** Whether the server identifies itself as generated by webrpc. */
  readonly isWebrpc: boolean;
}

/** The result of one check of a method. */
export interface CheckReport {
  readonly name: CheckName;
  readonly requests: number;
  /** Number of requests that the server was too busy to answer. */
  readonly busy: number;
  /**
   * Number of refusals that do not show that the server has found the fault,
   * because valid messages got the same error, and never succeeded.
   */
  readonly unproven: number;
  /** The first failure of each cause. */
  readonly failures: readonly Failure[];
  /** Number of cases that were not tried after too many failures. */
  readonly untried: number;
  /** Number of cases that were not sent, because they may change data. */
  readonly withheld: number;
  /** Whether time ran out before all requests were sent. */
  readonly isCutShort: boolean;
}

/** The smallest request that shows a mismatch. */
export interface Failure extends Mismatch {
  /** A special property of the request, e.g. "`isbn` is null", or "". */
  readonly what: string;
  /** The properties of other requests of the check with the same cause. */
  readonly others: readonly string[];
  readonly curl: string;
}

/** A quirk of webrpc's servers, and a request that shows the quirk. */
interface QuirkReport {
  readonly quirk: Quirk;
  readonly curl: string;
}
