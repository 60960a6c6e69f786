import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { formatGithub } from "../../generator/diagnostics/formats/github.js";
import { formatJson } from "../../generator/diagnostics/formats/json.js";
import { formatSarif } from "../../generator/diagnostics/formats/sarif.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import type { FoldedAdvice, foldAdvice } from "./fold-advice.js";
import { exitCodes } from "../system/exit-codes.js";
import type { System } from "../system/system.js";
import { hasColor } from "./color.js";

/** Formats of diagnostics. Only `text` is for people. */
export type Format = "text" | "json" | "github" | "sarif";

/** All formats, as named by `--format`. */
export const formats: readonly Format[] = ["text", "json", "github", "sarif"];

/** Whether one of the diagnostics makes the run fail. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/**
 * Reports findings. Unless there are errors, calls `finish` and prints the
 * lines that it returns. Returns the exit code.
 */
export function conclude(
  diagnostics: readonly Diagnostic[],
  format: Format,
  system: System,
  finish: () => readonly string[] = () => [],
): number {
  report(diagnostics, format, system);
  if (hasErrors(diagnostics)) return exitCodes.failure;
  say(finish(), format, system);
  return exitCodes.success;
}

/** Prints what a run did, in the text format only. */
export function say(
  lines: readonly string[],
  format: Format,
  { stdout }: System,
): void {
  if (format !== "text") return;
  stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/**
 * Writes diagnostics: text to standard error, other formats to standard output,
 * even if there are none. `fold` hides some from people.
 */
export function report(
  diagnostics: readonly Diagnostic[],
  format: Format,
  system: System,
  fold: typeof foldAdvice = showAll,
): void {
  switch (format) {
    case "text":
      system.stderr.write(printText(diagnostics, system, fold));
      break;
    case "json":
      system.stdout.write(withLineEnd(formatJson(diagnostics)));
      break;
    case "github":
      system.stdout.write(withLineEnd(formatGithub(diagnostics)));
      break;
    case "sarif":
      system.stdout.write(withLineEnd(formatSarif(diagnostics)));
      break;
  }
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function showAll(shown: readonly Diagnostic[]): FoldedAdvice {
  return { shown, hidden: new Map() };
}

function printText(
  diagnostics: readonly Diagnostic[],
  system: System,
  fold: typeof foldAdvice,
): string {
  const [first] = diagnostics;
  if (first === undefined) return "";
  const color = hasColor(system.stderr, system);
  const { shown, hidden } = fold(diagnostics);
  const findings = renderDiagnostics(shown, { color });
  const more = [...hidden].map(
    ([code, count]) => `${count} more of \`${code}\`, which \`--all\` shows\n`,
  );
  const hint = system.stderr.isTerminal
    ? `; run \`ridl explain ${first.code}\` for details`
    : "";
  return `${findings}\n\n${more.join("")}${printCounts(diagnostics)}${hint}\n`;
}

/** Counts diagnostics by severity, e.g. `2 errors, 1 warning`. */
export function printCounts(diagnostics: readonly Diagnostic[]): string {
  return (["error", "warning", "info"] as const)
    .map((severity) => ({
      severity,
      count: diagnostics.filter((each) => each.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(
      ({ severity, count }) => `${count} ${severity}${count === 1 ? "" : "s"}`,
    )
    .join(", ");
}
