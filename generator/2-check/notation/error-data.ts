import type { AliasDeclaration, Word } from "../../1-parse/ast.js";
import { findMetadata } from "./metadata.js";

/** The key of an alias that names the errors whose data the alias is. */
export const dataKey = "dataOf";

/** The key beside it for errors that handlers throw with any status. */
export const anyStatusKey = "anyStatus";

/**
 * Returns the names in `+ dataOf = A | B`, in order, with their spans. Returns
 * null if the alias has no such line.
 */
export function listErrorsWithData(
  alias: Pick<AliasDeclaration, "metadata">,
): readonly Word[] | null {
  const value = findMetadata(alias, dataKey)?.value;
  if (value === undefined) return null;
  const { isQuoted, span, text } = value;
  const textStart = span.start + (isQuoted ? 1 : 0);
  return [...text.matchAll(/[^|\s]+/gu)].map(({ 0: name, index }) => {
    const start = textStart + index;
    const end = start + name.length;
    return { text: name, span: { start, end }, isQuoted: false };
  });
}
