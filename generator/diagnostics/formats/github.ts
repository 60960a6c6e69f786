import type { Diagnostic, Severity } from "../diagnostic.js";
import { createPlaceFinder } from "./place.js";

const commands: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

/**
 * Diagnostics as workflow commands of GitHub Actions, one a line, which show
 * up beside the changed lines of a pull request.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  const placeOf = createPlaceFinder();
  return diagnostics
    .map(({ severity, code, message, location, notes, help }) => {
      const place = location && placeOf(location);
      const properties = {
        ...(place && {
          file: place.file,
          line: place.line,
          col: place.column,
          endLine: place.endLine,
          // The last character itself, and only within one line.
          ...(place.line === place.endLine && {
            endColumn: Math.max(place.column, place.endColumn - 1),
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
