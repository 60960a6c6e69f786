import { trimBlank } from "../ir/docs.js";
import type { DocLines } from "../1-parse/ast.js";
import { parseOrigins } from "../2-check/notation/origins.js";
import type { Docs } from "../ir/contract.js";

/** No documentation. */
export const noDocs: Docs = { lines: [], origins: [] };

/** Separates the `origin:` lines from the rest of a doc comment. */
export function lowerDocs(lines: DocLines): Docs {
  if (lines.length === 0) return noDocs;
  if (!lines.some((line) => line.includes("origin:"))) {
    return { lines: trimBlank(lines), origins: noDocs.origins };
  }
  const origins = lines.map((line) => parseOrigins(line));
  return {
    lines: trimBlank(lines.filter((_, index) => origins[index] === null)),
    origins: origins.flatMap((found) => found ?? []),
  };
}
