import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import type { Document } from "../ast.js";
import { parseRidl } from "../document.js";
import { isFormPath } from "../form-path.js";
import { readForm } from "../form/read-form.js";

/**
 * Reads one document into its syntax tree: RIDL, or webrpc's JSON form when
 * the path ends with `.json`, `.yaml` or `.yml`.
 * Output: the tree of all that could be read, and what is wrong with the rest.
 * Errors: none are thrown; see `diagnostics`.
 */
export function parseDocument(source: Source): Diagnosed<Document> {
  return isFormPath(source.path) ? readForm(source) : parseRidl(source);
}
