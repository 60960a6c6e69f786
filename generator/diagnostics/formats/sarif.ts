import type { Location } from "../../source/source.js";
import { catalog } from "../catalog.js";
import type { Diagnostic, Severity } from "../diagnostic.js";
import { createRangeFinder, type LineRange } from "./line-range.js";

const levels: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/**
 * Formats diagnostics as SARIF 2.1.0 for code scanning, with columns in Unicode
 * code points.
 */
export function formatSarif(diagnostics: readonly Diagnostic[]): string {
  const rangeOf = createRangeFinder();
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ridlkit", rules: codes.map(toRule) } },
        columnKind: "unicodeCodePoints",
        results: diagnostics.map((diagnostic) =>
          toResult(diagnostic, codes.indexOf(diagnostic.code), rangeOf),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toRule(code: string): object {
  const summary = catalog[code];
  if (summary === undefined) return { id: code };
  return { id: code, shortDescription: { text: summary } };
}

function toResult(
  { severity, code, message, location, related, notes, help }: Diagnostic,
  ruleIndex: number,
  rangeOf: (location: Location) => LineRange,
): object {
  const remarks = [...(notes ?? []), ...(help === undefined ? [] : [help])];
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: [message, ...remarks].join("\n") },
    locations: location ? [toLocation(rangeOf(location))] : [],
    ...(related && {
      relatedLocations: related.map((range) => ({
        ...toLocation(rangeOf(range.location)),
        message: { text: range.label },
      })),
    }),
  };
}

function toLocation(range: LineRange): object {
  return {
    physicalLocation: {
      artifactLocation: {
        // Also encodes `#` and `?`, which would end the path.
        uri: range.file
          .replace(/\p{Cs}/gu, "\ufffd")
          .split("/")
          .map(encodeURIComponent)
          .join("/"),
      },
      region: {
        startLine: range.line,
        startColumn: range.column,
        endLine: range.endLine,
        endColumn: range.endColumn,
      },
    },
  };
}
