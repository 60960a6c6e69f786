import type { LineIndex } from "../source/line-index.js";
import type { Source, Span } from "../source/source.js";
import type { Annotation, DocLines, Word } from "./ast.js";
import { CommentLog } from "./comment-log.js";
import { Reporter } from "./reporter.js";
import {
  endOfWord,
  isWordStart,
  kindOfCharacter,
  type Token,
  type TokenKind,
} from "./token.js";

const none: readonly Annotation[] = [];

/** The beginning of a declaration or member, with the lines above it. */
interface DeclarationStart {
  readonly start: number;
  readonly annotations: readonly Annotation[];
  /** The doc comment above the declaration or member. */
  readonly above: DocLines;
}

/** Whether a character is a space, a tab or a carriage return. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

/**
 * Reads a source token by token, on demand, because some parts are read
 * character by character. It also collects comments, diagnostics and
 * annotations.
 */
export class Cursor extends Reporter {
  readonly comments: CommentLog;
  token: Token = { kind: "newline", start: 0, end: 0 };
  /** The offset where the previous token ended. */
  previousEnd: number;
  /** Whether an opening brace was reported. If so, closing braces are not. */
  hasBraces = false;
  /** The annotations read so far. Usually, there are none. */
  #annotations: Annotation[] | null = null;
  /** Offset at which reading stops. */
  readonly #limit: number;

  /** Reads all of `source`, or only the part within `range`. */
  constructor(source: Source, range?: Span, lines?: LineIndex) {
    super(source, lines);
    this.comments = new CommentLog(source.text, this.lines);
    const start = range?.start ?? this.#skipByteOrderMark();
    this.#limit = range?.end ?? this.#findLimit();
    this.previousEnd = start;
    this.moveTo(start);
  }

  /** Steps over the current token and returns it. */
  advance(): Token {
    const { token } = this;
    this.moveTo(token.end);
    return token;
  }

  /** Continues at `offset`, in either direction. */
  moveTo(offset: number): void {
    this.previousEnd = offset;
    this.token = this.#scan(offset);
  }

  /** Returns the token after the current one. */
  peek(): Token {
    return this.#scan(this.token.end);
  }

  /** Whether this character comes next, ignoring line breaks and comments. */
  isBeyondLines(character: string): boolean {
    const { text } = this.source;
    let offset = this.token.start;
    for (; offset < this.#limit; offset += 1) {
      const code = text.charCodeAt(offset);
      if (code === 35) offset = this.lineEnd(offset) - 1;
      else if (code !== 10 && !isBlank(code)) break;
    }
    return offset < this.#limit && text[offset] === character;
  }

  /** Whether the current token is of one of these kinds. */
  is(first: TokenKind, second?: TokenKind, third?: TokenKind): boolean {
    // Called for every token, so it avoids allocating a list of kinds.
    const { kind } = this.token;
    return kind === first || kind === second || kind === third;
  }

  /** Whether the current token is exactly this word. */
  isWord(text: string): boolean {
    return this.token.kind === "word" && this.textOf(this.token) === text;
  }

  /** Whether the current token touches the one before it. */
  get isGlued(): boolean {
    return this.token.start === this.previousEnd;
  }

  /** Whether the line ends here, apart from a comment. */
  get isAtLineEnd(): boolean {
    return this.token.kind === "newline" || this.token.kind === "end";
  }

  textOf(span: Span): string {
    return this.source.text.slice(span.start, span.end);
  }

  /** Steps over the current token and returns it as a word. */
  takeWord(): Word {
    const { start, end } = this.advance();
    const span = { start, end };
    return { text: this.textOf(span), span, isQuoted: false };
  }

  /** Returns the span from `start` to the end of the last consumed token. */
  spanFrom(start: number): Span {
    return { start, end: Math.max(start, this.previousEnd) };
  }

  /** Steps over the rest of the line, including its comment. */
  skipLine(): void {
    this.moveTo(this.lineEnd(this.token.start));
  }

  /** Returns the end of the line that contains `offset`. */
  lineEnd(offset: number): number {
    const end = this.lines.endOf(this.lines.lineOf(offset));
    return Math.max(offset, Math.min(end, this.#limit));
  }

  /** Steps over line breaks. */
  skipNewlines(): void {
    while (this.token.kind === "newline") this.advance();
  }

  /** Keeps an annotation for the declaration that follows. */
  addAnnotation(annotation: Annotation): void {
    this.#annotations ??= [];
    this.#annotations.push(annotation);
  }

  /** Returns and clears the annotations for the next declaration. */
  takeAnnotations(): readonly Annotation[] {
    const taken = this.#annotations ?? none;
    this.#annotations = null;
    return taken;
  }

  /**
   * Steps over the first token of a declaration or member. Returns the comment
   * and the annotations above it.
   */
  begin(): DeclarationStart {
    const { start } = this.token;
    const annotations = this.takeAnnotations();
    const above = this.comments.takeAbove(start, annotations);
    this.advance();
    return { start, annotations, above };
  }

  /**
   * Claims the comment at the end of the line that contains `offset`, unless
   * another declaration on that line follows. Call it after reading the members.
   * Returns `above`, followed by the text of that comment.
   */
  takeTrailing(offset: number, above: readonly string[]): readonly string[] {
    // The annotations that have been read belong to the next declaration.
    const next = this.#annotations?.[0]?.span ?? this.token;
    return this.comments.takeTrailing(offset, above, next.start);
  }

  #scan(from: number): Token {
    const { text } = this.source;
    let start = from;
    while (start < this.#limit) {
      const code = text.charCodeAt(start);
      if (code === 35) start = this.#readComment(start);
      else if (isBlank(code)) start++;
      else return this.#scanAt(start, code);
    }
    return { kind: "end", start: this.#limit, end: this.#limit };
  }

  #scanAt(start: number, code: number): Token {
    const { text } = this.source;
    if (code === 10) return { kind: "newline", start, end: start + 1 };
    if (isWordStart(code)) {
      return { kind: "word", start, end: endOfWord(text, start, this.#limit) };
    }
    if (code === 61 && text.charCodeAt(start + 1) === 62) {
      return { kind: "=>", start, end: start + 2 };
    }
    const isPair = (text.codePointAt(start) ?? code) > 0xffff;
    return {
      kind: kindOfCharacter(code),
      start,
      end: start + (isPair ? 2 : 1),
    };
  }

  /** Records the comment at `start` and returns its end. */
  #readComment(start: number): number {
    const { text } = this.source;
    const end = this.lineEnd(start);
    // Lookahead can reach the same comment again.
    if (this.comments.has(start)) return end;
    const line = this.lines.lineOf(start);
    this.comments.add({
      kind: "comment",
      span: { start, end },
      text: text.slice(start + 1, end),
      isPrivate: text[start + 1] === "!",
      isTrailing: this.#hasTextBefore(start, this.lines.startOf(line)),
    });
    return end;
  }

  #hasTextBefore(offset: number, lineStart: number): boolean {
    // Like white space, a byte order mark is removed by `trim`.
    return this.source.text.slice(lineStart, offset).trim() !== "";
  }

  #skipByteOrderMark(): number {
    if (this.source.text.charCodeAt(0) !== 0xfeff) return 0;
    const span = { start: 0, end: 1 };
    this.warn(
      "byte-order-mark",
      span,
      "the file begins with a byte order mark",
      {
        notes: ["webrpc's parser rejects such files"],
        help: "save the file as UTF-8 without a byte order mark",
        replacement: { text: "" },
      },
    );
    return 1;
  }

  #findLimit(): number {
    const nul = this.source.text.indexOf("\0");
    if (nul === -1) return this.source.text.length;
    const span = { start: nul, end: nul + 1 };
    this.warn(
      "nul-character",
      span,
      "everything after this NUL character is ignored",
      {
        notes: ["webrpc's parser silently stops here"],
        help: "remove the character, or save the file as UTF-8",
      },
    );
    return nul;
  }
}
