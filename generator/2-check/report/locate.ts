import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Location, Span } from "../../source/source.js";

/** Anything with a span in its document, e.g. a name. */
export interface Placed {
  readonly span: Span;
}

/** Returns the location of a syntax node. */
export function locate(document: LoadedDocument, node: Placed): Location {
  return { source: document.syntax.source, span: node.span };
}
