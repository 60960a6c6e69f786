import type { Header } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";

/** Returns the first header of a document with this key, if any. */
export function findHeader(
  { syntax }: LoadedDocument,
  key: string,
): Header | undefined {
  return syntax.items
    .filter((item) => item.kind === "header")
    .find((header) => header.key.text === key);
}
