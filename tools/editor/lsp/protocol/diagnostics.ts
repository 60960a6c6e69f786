import type {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
} from "vscode-languageserver-protocol";
import type { Severity } from "../../../../generator/diagnostics/diagnostic.js";
import type { PlacedDiagnostic } from "../../service/model/results.js";
import { toLocation, toRange, type ProtocolPlaces } from "./places.js";

/** Values of `DiagnosticSeverity`. */
const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: 1,
  warning: 2,
  info: 3,
};

/** Converts a diagnostic, with its notes and help below the message. */
export function toDiagnostic(
  found: PlacedDiagnostic,
  path: string,
  places: ProtocolPlaces,
): Diagnostic {
  const { code, help, message, notes, related, severity, span } = found;
  const lines = [
    ...notes.map((note) => `note: ${note}`),
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  return {
    range: toRange(places.textOf(path), span),
    severity: severities[severity],
    source: "ridl",
    code,
    message: [message, ...lines].join("\n"),
    relatedInformation: related.map((each): DiagnosticRelatedInformation => ({
      location: toLocation(each.place, places),
      message: each.label,
    })),
  };
}
