import type { Header } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";

/**
 * Returns the first header of a document with this key, if any. As in the JSON
 * form, an empty value counts as absent.
 */
export function findHeader(
  { syntax }: LoadedDocument,
  key: string,
): Header | undefined {
  return syntax.items
    .filter((item) => item.kind === "header")
    .find(({ key: { text }, value }) => text === key && value.text !== "");
}
