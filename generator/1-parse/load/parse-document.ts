import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import type { Document } from "../ast.js";
import { parseRidl } from "../document.js";
import { isFormPath } from "../form-path.js";
import { readForm } from "../form/read-form.js";

/**
 * Parses one document: RIDL, or webrpc's JSON form if the path ends with
 * `.json`, `.yaml` or `.yml`. Returns the syntax tree of everything that could
 * be parsed, and the diagnostics. Never throws.
 */
export function parseDocument(source: Source): Diagnosed<Document> {
  return isFormPath(source.path) ? readForm(source) : parseRidl(source);
}
