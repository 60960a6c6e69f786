import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withHash } from "./sources.js";

const results = fileURLToPath(new URL("../results/", import.meta.url));

/** Whether this run only checks that the benchmark works. */
export const isQuick = process.argv.includes("--quick");

/**
 * Ends a benchmark: prints its report, and fails if a goal is missed. Stores the
 * report and returns true if this was a complete run. The figures of a quick run
 * mean nothing, so it neither fails nor stores them.
 */
export async function endWith(name, report, goals, isComplete = !isQuick) {
  console.log(report);
  const isFailed = !isQuick && goals.missed().length > 0;
  process.exitCode = isFailed ? 1 : 0;
  if (!isComplete) return false;
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}${name}.md`, await withHash(name, report));
  return true;
}

/** Stores the chart of a benchmark. */
export function writeChart(name, chart) {
  writeFileSync(`${results}${name}.svg`, chart);
}
