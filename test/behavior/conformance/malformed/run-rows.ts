import { applicationOf } from "./applicable.js";
import { findFault, type ReceivedAnswer } from "./find-fault.js";
import { categoryOf, type Row } from "./row.js";

/** Sends a request to a method. Returns null if no response arrives in time. */
export type SendRow = (method: string, row: Row) => Promise<ReceivedAnswer>;

/** The counts of outcomes in a category. */
export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** The outcomes of all rows. */
export interface Report extends Readonly<Count> {
  readonly categories: ReadonlyMap<string, Readonly<Count>>;
  /** Counts of skipped rows by reason. */
  readonly reasons: ReadonlyMap<string, number>;
  /** The faults of failed rows. */
  readonly failures: readonly string[];
}

/**
 * Sends every applicable row to each server in turn. A row passes if all
 * servers reject it correctly.
 */
export async function runRows(
  rows: readonly Row[],
  servers: readonly SendRow[],
): Promise<Report> {
  const categories = new Map<string, Count>();
  const reasons = new Map<string, number>();
  const failures: string[] = [];
  for (const row of rows) {
    const category = categoryOf(row);
    const count = categories.get(category) ?? {
      passed: 0,
      failed: 0,
      skipped: 0,
    };
    categories.set(category, count);
    const application = applicationOf(row);
    if (application.kind === "skipped") {
      count.skipped += 1;
      const { reason } = application;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      continue;
    }
    const faults: string[] = [];
    for (const send of servers) {
      const fault = findFault(row, await send(application.name, row));
      if (fault !== null) faults.push(`${row.id}: ${fault}`);
    }
    failures.push(...faults);
    count[faults.length === 0 ? "passed" : "failed"] += 1;
  }
  return { ...sumOf([...categories.values()]), categories, reasons, failures };
}

function sumOf(counts: readonly Count[]): Count {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of counts) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** Prints a report for people, with the totals in the last line. */
export function printReport(report: Report): string {
  const { categories, reasons, failures } = report;
  const rows = [...categories].map(([category, count]) =>
    [
      category.padEnd(28),
      ...[count.passed, count.failed, count.skipped].map((value) =>
        String(value).padStart(8),
      ),
    ].join(""),
  );
  const head = `${"category".padEnd(28)}  passed  failed skipped`;
  const why = [...reasons].map(
    ([reason, count]) => `skipped ${String(count)}: ${reason}`,
  );
  const { passed, failed, skipped } = report;
  const total = `${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`;
  return [head, ...rows, "", ...why, "", ...failures, total].join("\n");
}
