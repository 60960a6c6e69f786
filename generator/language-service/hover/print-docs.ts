import type { Annotation, Documented } from "../../1-parse/ast.js";
import { lowerDocs } from "../../3-lower/docs.js";

/** Prints the doc comment of a declaration, and whether it is deprecated. */
export function printDocs({
  annotations = [],
  docs,
}: Documented & { readonly annotations?: readonly Annotation[] }): string {
  const note = annotations.find(({ name }) => name.text === "deprecated");
  const { lines } = lowerDocs(docs);
  const reason = note?.value ? `: ${note.value.text}` : "";
  const warning = note ? [`**Deprecated**${reason}`, ""] : [];
  return [...warning, ...lines].join("\n").trim();
}
