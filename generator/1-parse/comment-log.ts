import type { LineIndex } from "../source/line-index.js";
import type { Span } from "../source/source.js";
import type { Comment } from "./ast.js";

/** Records comments, and which of them no declaration has claimed yet. */
export class CommentLog {
  readonly comments: Comment[] = [];
  readonly #text: string;
  readonly #lines: LineIndex;
  readonly #unclaimed = new Map<number, Comment>();

  constructor(text: string, lines: LineIndex) {
    this.#text = text;
    this.#lines = lines;
  }

  /** Whether the comment at this offset has been recorded. */
  has(start: number): boolean {
    const last = this.comments.at(-1);
    return last !== undefined && start <= last.span.start;
  }

  /** Records a new comment. */
  add(comment: Comment): void {
    this.comments.push(comment);
    this.#unclaimed.set(this.#lines.lineOf(comment.span.start), comment);
  }

  /**
   * Claims the comments above a declaration. Call it before reading members: if
   * several declarations share a line, the outer one gets the comment.
   */
  takeAbove(
    start: number,
    annotations: readonly { span: Span }[],
  ): readonly string[] {
    const own = this.#lines.lineOf(start);
    if (annotations.length === 0) return textOf(this.#takeBlockAbove(start));
    const docs = annotations.flatMap((annotation) => {
      const line = this.#lines.lineOf(annotation.span.start);
      const above = this.#takeBlockAbove(annotation.span.start);
      const behind = line === own ? undefined : this.#takeAt(line, true);
      return behind === undefined ? above : [...above, behind];
    });
    return textOf([...docs, ...this.#takeBlockAbove(start)]);
  }

  /**
   * Claims the comment at the end of the line that contains `offset`, if it is
   * before `end`. Returns `above`, followed by the text of that comment.
   */
  takeTrailing(
    offset: number,
    above: readonly string[],
    end: number,
  ): readonly string[] {
    const comment = this.#takeAt(this.#lines.lineOf(offset), true, end);
    return comment === undefined ? above : [...above, ...textOf([comment])];
  }

  /** Claims the comments above what begins at `start`, if it begins a line. */
  #takeBlockAbove(start: number): readonly Comment[] {
    const line = this.#lines.lineOf(start);
    if (!this.#unclaimed.has(line - 1) || !this.#beginsLine(start)) return [];
    const block: Comment[] = [];
    for (let above = line - 1; above > 0; above--) {
      const comment = this.#takeAt(above, false);
      if (comment === undefined) break;
      block.push(comment);
    }
    return block.reverse();
  }

  #beginsLine(start: number): boolean {
    const lineStart = this.#lines.startOf(this.#lines.lineOf(start));
    return this.#text.slice(lineStart, start).trim() === "";
  }

  #takeAt(
    line: number,
    isTrailing: boolean,
    end = Infinity,
  ): Comment | undefined {
    const comment = this.#unclaimed.get(line);
    if (comment?.isTrailing !== isTrailing) return undefined;
    if (comment.span.start > end) return undefined;
    this.#unclaimed.delete(line);
    return comment;
  }
}

/**
 * Returns the text of the comments that are not private, without the first
 * space or tab after each `#`.
 */
function textOf(comments: readonly Comment[]): readonly string[] {
  return comments
    .filter((comment) => !comment.isPrivate)
    .map(({ text }) => {
      const isSpaced = text.startsWith(" ") || text.startsWith("\t");
      return text.slice(isSpaced ? 1 : 0).trimEnd();
    });
}
