import type { Location } from "../../source/source.js";
import { catalogue } from "../catalogue.js";
import type { Diagnostic, Severity } from "../diagnostic.js";
import { createPlaceFinder, type Place } from "./place.js";

const levels: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/**
 * Diagnostics in SARIF 2.1.0, which code scanning services read.
 * Output: one run, columns in Unicode code points, a line break at the end.
 */
export function formatSarif(diagnostics: readonly Diagnostic[]): string {
  const placeOf = createPlaceFinder();
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ridlkit", rules: codes.map(toRule) } },
        columnKind: "unicodeCodePoints",
        results: diagnostics.map((diagnostic) =>
          toResult(diagnostic, codes.indexOf(diagnostic.code), placeOf),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toRule(code: string): object {
  const summary = catalogue[code];
  if (summary === undefined) return { id: code };
  return { id: code, shortDescription: { text: summary } };
}

function toResult(
  { severity, code, message, location, related, notes, help }: Diagnostic,
  ruleIndex: number,
  placeOf: (location: Location) => Place,
): object {
  const remarks = [...(notes ?? []), ...(help === undefined ? [] : [help])];
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: [message, ...remarks].join("\n") },
    locations: location ? [toLocation(placeOf(location))] : [],
    ...(related && {
      relatedLocations: related.map((place) => ({
        ...toLocation(placeOf(place.location)),
        message: { text: place.label },
      })),
    }),
  };
}

function toLocation(place: Place): object {
  return {
    physicalLocation: {
      artifactLocation: {
        uri: encodeURI(place.file.replace(/\p{Cs}/gu, "\ufffd")),
      },
      region: {
        startLine: place.line,
        startColumn: place.column,
        endLine: place.endLine,
        endColumn: place.endColumn,
      },
    },
  };
}
