import { createLineFinder } from "../../source/line-index.js";
import type { Location } from "../../source/source.js";

/** A location in lines and columns. All numbers are 1-based. */
export interface LineRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** The column after the last character. */
  readonly endColumn: number;
}

/**
 * Creates a function that converts locations to ranges. It indexes each file
 * only once.
 */
export function createRangeFinder(): (location: Location) => LineRange {
  const linesOf = createLineFinder();
  return ({ source, span }) => {
    const lines = linesOf(source);
    const start = lines.positionOf(span.start);
    const end = lines.positionOf(span.end);
    return {
      file: source.path,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
  };
}
