import type { ts } from "ts-morph";
import type { ProcedureDocs } from "./typed-procedure.js";

/** Returns what the comment above a declaration says. */
export function docsOf(
  symbol: ts.Symbol,
  compiler: typeof ts,
  checker: ts.TypeChecker,
): ProcedureDocs {
  const parts = symbol.getDocumentationComment(checker);
  const text = compiler.displayPartsToString(parts).trim();
  const tags = symbol.getJsDocTags(checker);
  return {
    description: text === "" ? null : text,
    isDeprecated: tags.some(({ name }) => name === "deprecated"),
  };
}
