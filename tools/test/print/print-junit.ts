import {
  describeUnproven,
  describeUntried,
  emptyNote,
  printDetails,
  titleOf,
  withheldNote,
} from "./print-text.js";
import {
  hasSucceeded,
  isUntested,
  type CheckReport,
  type MethodReport,
  type TestReport,
} from "../report.js";

/** Prints a report as JUnit XML, with a suite for each method. */
export function printJunit(report: TestReport): string {
  const suites = [
    ...report.methods.map((method) => printSuite(report, method)),
    ...report.skipped.map(({ method, reason }) =>
      suite(
        report,
        method,
        0,
        skippedCase(method, "all", `the method ${reason}`),
      ),
    ),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    ...suites.map((each) => each.replace(/^/gmu, "  ")),
    "</testsuites>",
    "",
  ].join("\n");
}

function printSuite(report: TestReport, method: MethodReport): string {
  const { missing } = method;
  const keys = missing.map((key) => `\`${key}\``).join(" or ");
  const cases = [
    ...(missing.length > 0
      ? skippedCase(method.method, "valid messages", `${keys} was not given`)
      : []),
    ...method.checks.flatMap((check) => printCase(report, method, check)),
  ];
  const failed = method.checks.filter(({ failures }) => failures.length > 0);
  return suite(
    report,
    method.method,
    failed.length,
    cases,
    method.checks.length + (missing.length > 0 ? 1 : 0),
  );
}

/** Prints a case that did not run. */
function skippedCase(
  method: string,
  name: string,
  reason: string,
): readonly string[] {
  return [
    `<testcase classname="${escape(method)}" name="${name}">`,
    `  <skipped message="${escape(reason)}"/>`,
    "</testcase>",
  ];
}

function suite(
  { seed }: TestReport,
  name: string,
  failures: number,
  lines: readonly string[],
  tests = 1,
): string {
  return [
    `<testsuite name="${escape(name)}" tests="${tests}" failures="${failures}">`,
    // JUnit's format has no other element for the settings of a run.
    `  <properties><property name="seed" value="${seed}"/></properties>`,
    ...lines.map((line) => `  ${line}`),
    "</testsuite>",
  ].join("\n");
}

function printCase(
  report: TestReport,
  method: MethodReport,
  check: CheckReport,
): readonly string[] {
  const name = `classname="${escape(method.method)}" name="${escape(check.name)}"`;
  const reason = check.failures.length > 0 ? null : reasonToSkip(method, check);
  const skipped =
    reason === null ? [] : [`  <skipped message="${escape(reason)}"/>`];
  const failures = check.failures.map((failure) => {
    const title = escape(titleOf(method, failure));
    // Print one line, because the suite's indentation would change the text.
    const details = escape(printDetails(report, method, failure));
    return `  <failure type="${failure.kind}" message="${title}">${details}</failure>`;
  });
  const notes = [
    ...(check.untried > 0 ? [describeUntried(check)] : []),
    ...(reason === null && check.withheld > 0 ? [withheldNote] : []),
    ...(check.unproven > 0 ? [describeUnproven(check.unproven)] : []),
  ];
  const output =
    notes.length > 0
      ? [`  <system-out>${escape(notes.join("; "))}</system-out>`]
      : [];
  const lines = [...skipped, ...failures, ...output];
  return lines.length === 0
    ? [`<testcase ${name}/>`]
    : [`<testcase ${name}>`, ...lines, "</testcase>"];
}

function reasonToSkip(method: MethodReport, check: CheckReport): string | null {
  if (check.isCutShort) {
    return "not all requests were sent in time; increase `--max-time`";
  }
  if (check.requests === 0 && check.withheld > 0) return withheldNote;
  if (isUntested(method)) return "the server never did the method's work";
  if (check.busy > 0 && check.busy === check.requests)
    return "the server was too busy";
  if (check.name !== "valid messages" || hasSucceeded(method)) return null;
  return method.items === 0 && method.answers["success"]
    ? emptyNote
    : "no valid message succeeded, so no response was checked";
}

/** Escapes text for XML 1.0, which does not allow control characters. */
function escape(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
