import type { Diagnostic, Severity } from "../diagnostic.js";
import { createRangeFinder } from "./line-range.js";

const commands: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

/**
 * Formats diagnostics as workflow commands of GitHub Actions, one per line,
 * which GitHub shows next to the changed lines of a pull request.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  const rangeOf = createRangeFinder();
  return diagnostics
    .map(({ severity, code, message, location, notes, help }) => {
      const range = location && rangeOf(location);
      const properties = {
        ...(range && {
          file: range.file,
          line: range.line,
          col: range.column,
          endLine: range.endLine,
          // GitHub expects the column of the last character, and only if the
          // range is within one line.
          ...(range.line === range.endLine && {
            endColumn: Math.max(range.column, range.endColumn - 1),
          }),
        }),
        title: code,
      };
      const list = Object.entries(properties).map(
        ([key, value]) => `${key}=${escapeProperty(String(value))}`,
      );
      const remarks = [...(notes ?? []), ...(help === undefined ? [] : [help])];
      const text = escapeData([message, ...remarks].join("\n"));
      return `::${commands[severity]} ${list.join(",")}::${text}\n`;
    })
    .join("");
}

function escapeData(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
