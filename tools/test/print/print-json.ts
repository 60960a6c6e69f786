import { quirks } from "../quirks.js";
import {
  groupByCause,
  quirksOf,
  requestsOf,
  type TestReport,
} from "../report.js";

/** Prints a report as JSON. */
export function printJson(report: TestReport): string {
  const { methods, seed, skipped, url } = report;
  const found = [...quirksOf(report)].map(([name, curl]) => ({
    name,
    text: quirks[name],
    curl,
  }));
  const all = {
    url,
    seed,
    requests: requestsOf(report),
    failures: groupByCause(report).length,
    methods: methods.map(({ quirks: shown, ...method }) => ({
      ...method,
      quirks: shown.map(({ quirk }) => quirk),
    })),
    skipped,
    quirks: found,
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
