import type { DocLines } from "./ast.js";

/** One line of RIDL to be written, not yet with comments and blank lines. */
export interface PrintedLine {
  /** Without indentation. */
  readonly text: string;
  /** 0 for declarations, 1 for members, 2 for their metadata. */
  readonly depth: number;
  /** Offset in the source where what it says begins. */
  readonly start: number;
  /** Whether a comment at the end of the line is about it. */
  readonly isDefinition: boolean;
  /** Doc comment, for documents that have no comments of their own. */
  readonly docs: DocLines;
  /** Begins a declaration; and which kind, as alike lines stand together. */
  readonly group?: string;
}
