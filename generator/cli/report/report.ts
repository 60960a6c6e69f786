import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { formatGithub } from "../../diagnostics/formats/github.js";
import { formatJson } from "../../diagnostics/formats/json.js";
import { formatSarif } from "../../diagnostics/formats/sarif.js";
import { renderDiagnostics } from "../../diagnostics/render.js";
import type { CliHost } from "../host.js";
import { hasColor } from "./color.js";

/** How diagnostics are written: for people, or for which program. */
export type Format = "text" | "json" | "github" | "sarif";

/** All formats, as `--format` names them. */
export const formats: readonly Format[] = ["text", "json", "github", "sarif"];

/** Whether one of the diagnostics makes the run fail. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/**
 * Writes diagnostics: text to standard error, and to standard output what
 * programs read, which also get an empty list.
 */
export function report(
  diagnostics: readonly Diagnostic[],
  format: Format,
  host: CliHost,
): void {
  switch (format) {
    case "text":
      host.stderr.write(printText(diagnostics, host));
      break;
    case "json":
      host.stdout.write(withLineEnd(formatJson(diagnostics)));
      break;
    case "github":
      host.stdout.write(withLineEnd(formatGithub(diagnostics)));
      break;
    case "sarif":
      host.stdout.write(withLineEnd(formatSarif(diagnostics)));
      break;
  }
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function printText(diagnostics: readonly Diagnostic[], host: CliHost): string {
  const [first] = diagnostics;
  if (first === undefined) return "";
  const color = hasColor(host.stderr, host);
  const findings = renderDiagnostics(diagnostics, { color });
  const hint = host.stderr.isTerminal
    ? `; \`ridl explain ${first.code}\` says more`
    : "";
  return `${findings}\n\n${printCounts(diagnostics)}${hint}\n`;
}

/** E.g. `2 errors, 1 warning`. */
function printCounts(diagnostics: readonly Diagnostic[]): string {
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
