import type { Outcome } from "../diagnostics/diagnostic.js";
import type { Source } from "../source/source.js";
import type { Document } from "./ast.js";
import { parseRidl } from "./document.js";

export { printDocument } from "./print.js";

/**
 * Reads one document into its syntax tree.
 * Output: the tree of all that could be read, and what is wrong with the rest.
 * Errors: none are thrown; see `diagnostics`.
 */
export function parseDocument(source: Source): Outcome<Document> {
  return parseRidl(source);
}
