/** The cases that a program does not pass, and why. */
export interface Exceptions {
  /** Reasons by what cases need. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Reasons by the names of cases of clients. */
  readonly client?: Readonly<Record<string, string>>;
  /** Reasons by the names of cases of servers. */
  readonly server?: Readonly<Record<string, string>>;
}

/** What came of a case. */
export interface CaseResult {
  readonly name: string;
  /** Why the case may fail, or null if it may not. */
  readonly exception: string | null;
  /** What is wrong, or null. */
  readonly fault: string | null;
}

interface AnyCase {
  readonly name: string;
  readonly needs?: readonly string[];
}

/** Returns why a case may fail, or null. */
export function exceptionOf(
  { name, needs = [] }: AnyCase,
  exceptions: Exceptions,
  role: "client" | "server",
): string | null {
  const reasons = [
    exceptions[role]?.[name],
    ...needs.map((need) => exceptions.needs?.[need]),
  ];
  return reasons.find((reason) => reason !== undefined) ?? null;
}

/**
 * Returns what is wrong with a list of exceptions: names of no case, and
 * exceptions that nothing needs.
 */
export function checkExceptions(
  cases: readonly AnyCase[],
  results: readonly CaseResult[],
  exceptions: Exceptions,
  role: "client" | "server",
): readonly string[] {
  const failed = new Set(
    results.flatMap(({ fault, name }) => (fault === null ? [] : [name])),
  );
  const ran = new Set(results.map(({ name }) => name));
  const all = cases.filter(({ name }) => ran.has(name));
  const faults = Object.keys(exceptions[role] ?? {}).flatMap((name) => {
    if (!cases.some((each) => each.name === name))
      return [`there is no case \`${name}\``];
    return ran.has(name) && !failed.has(name)
      ? [`\`${name}\` passes, so it is no exception`]
      : [];
  });
  const needs = Object.keys(exceptions.needs ?? {}).flatMap((need) => {
    const needing = all.filter((each) => each.needs?.includes(need));
    return needing.length > 0 && needing.every(({ name }) => !failed.has(name))
      ? [`all cases that need \`${need}\` pass, so it is no exception`]
      : [];
  });
  return [...faults, ...needs];
}
