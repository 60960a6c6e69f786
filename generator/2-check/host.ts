import type { Document } from "../1-parse/ast.js";
import type { Outcome } from "../diagnostics/diagnostic.js";
import type { Source } from "../source/source.js";

/** The outside world of the generator: where documents come from. */
export interface Host {
  /**
   * Input: a path with `/`, normalised, e.g. `schema/common.ridl`.
   * Output: the text of the document; null when it does not exist.
   */
  read(path: string): string | null;
  /**
   * Parses a document, or knows what came of it before. Absent: every document
   * is parsed where it is needed.
   */
  parse?(source: Source): Outcome<Document>;
}
