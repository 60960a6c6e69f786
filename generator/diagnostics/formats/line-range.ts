import { LineIndex } from "../../source/line-index.js";
import type { Location, Source } from "../../source/source.js";

/** Where a location is, as people and editors count; all numbers from 1. */
export interface LineRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** The column after the last character. */
  readonly endColumn: number;
}

/** A function from locations to ranges that reads the lines of a file once. */
export function createRangeFinder(): (location: Location) => LineRange {
  const indexes = new Map<Source, LineIndex>();
  return ({ source, span }) => {
    const lines = indexes.get(source) ?? new LineIndex(source.text);
    indexes.set(source, lines);
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
