/**
 * Text that diagnostics can refer to: a RIDL, JSON or YAML document, or the
 * configuration file.
 */
export interface Source {
  /** Path as shown to users, e.g. `schema/api.ridl`. It always uses `/`. */
  readonly path: string;
  /** The entire text, exactly as read, including CRLF and a byte order mark. */
  readonly text: string;
}

/**
 * A half-open range of a source, as offsets in UTF-16 code units. `start` is
 * the offset of the first unit, and `end` is the offset after the last one. An
 * empty span points between two characters, e.g. at the end of the file.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span together with the source that it belongs to. */
export interface Location {
  readonly source: Source;
  readonly span: Span;
}

/** A position in text. The first line and the first column are 1. */
export interface Position {
  readonly line: number;
  /** The column in Unicode code points from the start of the line. */
  readonly column: number;
}
