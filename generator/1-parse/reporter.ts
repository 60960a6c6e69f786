import { adviseFound } from "./foreign-words.js";
import type { ParseCode } from "../diagnostics/catalogue.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { LineIndex } from "../source/line-index.js";
import type { Source, Span } from "../source/source.js";

/** So many errors, and so many warnings, are kept of one document. */
const maxFindings = 1000;
/** Longer messages quote something endless. */
const maxMessageLength = 300;

/** What a diagnostic may say besides its message. */
export type Detail = Pick<Diagnostic, "label" | "notes" | "help"> & {
  /** Text that would take the place of the span, or of another one. */
  readonly replacement?: { readonly text: string; readonly span?: Span };
};

/** One document, its lines, and what is found in it. */
export class Reporter {
  readonly source: Source;
  readonly lines: LineIndex;
  readonly diagnostics: Diagnostic[] = [];
  readonly #counts = { error: 0, warning: 0 };

  /** `lines` are those of the source, where they are known already. */
  constructor(source: Source, lines?: LineIndex) {
    this.source = source;
    this.lines = lines ?? new LineIndex(source.text);
  }

  /** Notes what makes the run fail. */
  error(
    code: ParseCode,
    span: Span,
    message: string,
    detail: Detail = {},
  ): void {
    const found = this.source.text.slice(span.start, span.end);
    const help = detail.help ?? adviseFound(code, found);
    const advised = help === undefined ? detail : { ...detail, help };
    this.#report("error", code, span, message, advised);
  }

  /** Notes what is read all the same. */
  warn(
    code: ParseCode,
    span: Span,
    message: string,
    detail: Detail = {},
  ): void {
    this.#report("warning", code, span, message, detail);
  }

  #report(
    severity: "error" | "warning",
    code: ParseCode,
    { start, end }: Span,
    message: string,
    { replacement, ...detail }: Detail,
  ): void {
    if (++this.#counts[severity] > maxFindings) return;
    const { source } = this;
    const location = { source, span: { start, end } };
    const fix = replacement && {
      location: { source, span: replacement.span ?? location.span },
      replacement: replacement.text,
    };
    this.diagnostics.push({
      code,
      severity,
      message: shorten(message),
      location,
      ...detail,
      ...(detail.help !== undefined && { help: shorten(detail.help) }),
      ...(fix !== undefined && { fix }),
    });
  }
}

function shorten(text: string): string {
  if (text.length <= maxMessageLength) return text;
  return `${text.slice(0, maxMessageLength)}…`;
}
