import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Location, Span } from "../../source/source.js";

/** Anything that stands at a place of its document, e.g. a name. */
export interface Placed {
  readonly span: Span;
}

/** The place of a syntax node. */
export function locate(document: LoadedDocument, node: Placed): Location {
  return { source: document.syntax.source, span: node.span };
}
