import { countWhile } from "./count-while.js";
import type { Position, Source } from "./source.js";

/**
 * The next lookup is usually on the same line or at most this many lines below.
 */
const nearbyLines = 8;

/**
 * An index of the lines of text. It is built once, and a lookup that is not
 * near the previous one is a binary search. Lines end at `\n`, and a `\r`
 * before it belongs to the line break.
 */
export class LineIndex {
  readonly #text: string;
  /** Offset of the first character of every line. */
  readonly #starts: readonly number[];
  /** Offsets of the second halves of surrogate pairs, which have no column. */
  readonly #secondHalves: readonly number[];
  /** The line of the last lookup. */
  #last = 1;

  constructor(text: string) {
    this.#text = text;
    this.#starts = lineStarts(text);
    this.#secondHalves = secondHalves(text);
  }

  /** Number of lines, at least 1, because empty text has one empty line. */
  get lineCount(): number {
    return this.#starts.length;
  }

  /** Returns the 1-based line that contains `offset`. */
  lineOf(offset: number): number {
    let line = this.#last;
    if (offset >= this.startOf(line)) {
      const limit = line + nearbyLines;
      while (line < limit && offset >= this.#startAfter(line)) line++;
    }
    const isHere =
      offset >= this.startOf(line) && offset < this.#startAfter(line);
    this.#last = isHere ? line : countUpTo(this.#starts, offset);
    return this.#last;
  }

  #startAfter(line: number): number {
    return this.#starts[line] ?? Infinity;
  }

  /** Returns the 1-based line and column, in code points, of `offset`. */
  positionOf(offset: number): Position {
    const line = this.lineOf(offset);
    const start = this.startOf(line);
    const halves =
      countUpTo(this.#secondHalves, offset - 1) -
      countUpTo(this.#secondHalves, start - 1);
    return { line, column: offset - start - halves + 1 };
  }

  /** Returns the offset of the first character of a 1-based line. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  /** Returns the end of a 1-based line, without its line break. */
  endOf(line: number): number {
    const next = this.#starts[line];
    if (next === undefined) return this.#text.length;
    const end = next - 1;
    const hasReturn = end > this.startOf(line) && this.#text[end - 1] === "\r";
    return hasReturn ? end - 1 : end;
  }

  /** Returns the text between two offsets. */
  slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  /** Returns the text of a 1-based line without its line break. */
  textOf(line: number): string {
    return this.#text.slice(this.startOf(line), this.endOf(line));
  }
}

/** Returns the offset of the start of the line with `offset`. */
export function lineStartAt(text: string, offset: number): number {
  // `lastIndexOf` treats a negative index as 0, which can be a line break.
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/**
 * Returns the offset of the end of the line with `offset`, before its line break.
 */
export function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === "\r" ? end - 1 : end;
}

/** Creates a function that builds the line index of a source once. */
export function createLineFinder(): (source: Source) => LineIndex {
  const indexes = new Map<Source, LineIndex>();
  return (source) => {
    const lines = indexes.get(source) ?? new LineIndex(source.text);
    indexes.set(source, lines);
    return lines;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  let offset = text.indexOf("\n");
  while (offset !== -1) {
    starts.push(offset + 1);
    offset = text.indexOf("\n", offset + 1);
  }
  return starts;
}

function secondHalves(text: string): number[] {
  const offsets: number[] = [];
  for (const match of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) {
    offsets.push(match.index + 1);
  }
  return offsets;
}

/** Counts how many of the ascending `offsets` are not after `offset`. */
function countUpTo(offsets: readonly number[], offset: number): number {
  return countWhile(offsets, (each) => each <= offset);
}
