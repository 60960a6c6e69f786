import { habits } from "./habits.js";
import { failuresOf, habitsOf, requestsOf, type TestReport } from "./report.js";

/** Prints a report as JSON. */
export function printJson(report: TestReport): string {
  const { methods, seed, skipped, url } = report;
  const found = [...habitsOf(report)].map(([name, curl]) => ({
    name,
    text: habits[name],
    curl,
  }));
  const all = {
    url,
    seed,
    requests: requestsOf(report),
    failures: failuresOf(report).length,
    methods: methods.map(({ habits: shown, ...method }) => ({
      ...method,
      habits: shown.map(({ habit }) => habit),
    })),
    skipped,
    habits: found,
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
