import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type {
  Diagnostic,
  RelatedLocation,
} from "../../diagnostics/diagnostic.js";
import type { CheckCode } from "../../diagnostics/catalogue.js";
import type { Location, Span } from "../../source/source.js";
/** The parts of a diagnostic that are not always there. */
export type Details = Pick<
  Diagnostic,
  "label" | "related" | "notes" | "help" | "fix"
>;

/** Anything that stands at a place of its document, e.g. a name. */
export interface Placed {
  readonly span: Span;
}

/** The place of a syntax node. */
export function locate(document: LoadedDocument, node: Placed): Location {
  return { source: document.syntax.source, span: node.span };
}

/** A diagnostic that makes the run fail. */
export function reportError(
  code: CheckCode,
  location: Location,
  message: string,
  details: Details = {},
): Diagnostic {
  return { code, severity: "error", message, location, ...details };
}

/** The second place of a diagnostic. */
export function relate(
  document: LoadedDocument,
  node: Placed,
  label: string,
): RelatedLocation {
  return { location: locate(document, node), label };
}
