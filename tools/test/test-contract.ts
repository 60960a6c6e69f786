import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import { isRead, nameOf, type TestedMethod } from "./tested-method.js";
import type { Reference } from "./reference.js";
import type {
  SkippedMethod,
  SkipReason,
  TestReport,
  MethodReport,
} from "./report.js";
import { testMethod, type TestOptions } from "./test-method.js";

/** Selects the methods to test. */
export interface Selection {
  /** Patterns of methods, e.g. `Shop.*`. An empty list selects all methods. */
  readonly patterns: readonly string[];
  /** Whether to call methods that may change data. */
  readonly writes: boolean;
}

/** The methods of a contract to test, and those that are skipped. */
export interface SelectedMethods {
  readonly testedMethods: readonly TestedMethod[];
  readonly skipped: readonly SkippedMethod[];
  /** The patterns that select no method. */
  readonly unmatched: readonly string[];
}

/** Selects the methods of a contract to test. */
export function selectMethods(
  plan: Plan,
  { patterns, writes }: Selection,
): SelectedMethods {
  const { contract } = plan;
  const all = plan.hosts.flatMap((host) =>
    methodsOf(host.services).map((method) => ({ contract, host, method })),
  );
  const filters = patterns.map((pattern) => ({
    pattern,
    expression: toExpression(pattern),
  }));
  const unmatched = new Set(patterns);
  const testedMethods: TestedMethod[] = [];
  const skipped: SkippedMethod[] = [];
  for (const tested of all) {
    const method = nameOf(tested);
    const matching = filters.filter(({ expression }) =>
      expression.test(method),
    );
    for (const { pattern } of matching) unmatched.delete(pattern);
    if (patterns.length > 0 && matching.length === 0) continue;
    const reason = reasonToSkip(tested, writes);
    if (reason === null) testedMethods.push(tested);
    else skipped.push({ method, reason });
  }
  return { testedMethods, skipped, unmatched: [...unmatched] };
}

/** Converts a pattern in which `*` matches any text. */
function toExpression(pattern: string): RegExp {
  const parts = pattern
    .split("*")
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/gu, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "u");
}

function reasonToSkip(
  tested: TestedMethod,
  writes: boolean,
): SkipReason | null {
  if (tested.method.method.route.kind === "webhook") {
    return "is called by the server";
  }
  if (tested.method.method.isClientOnly) {
    return "is answered by another server";
  }
  if (tested.method.request.message.isStream) {
    return "is a stream of requests";
  }
  return writes || isRead(tested) ? null : "may change data";
}

/** Maximum number of methods that are tested concurrently. */
const maxAtOnce = 4;

/**
 * Tests methods concurrently. `onProgress` receives the number of finished
 * methods.
 */
export async function testMethods(
  testedMethods: readonly TestedMethod[],
  reference: Reference,
  options: TestOptions,
  onProgress: (done: number) => void,
): Promise<TestReport["methods"]> {
  const reports = new Map<TestedMethod, MethodReport>();
  const rest = testedMethods.values();
  const work = async (): Promise<void> => {
    for (const tested of rest) {
      const report = await testMethod(tested, reference, options);
      reports.set(tested, report);
      onProgress(reports.size);
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return testedMethods.flatMap((tested) => reports.get(tested) ?? []);
}
