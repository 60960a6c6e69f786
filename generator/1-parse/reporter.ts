import { adviseFound } from "./foreign-words.js";
import type { ParseCode } from "../diagnostics/catalog.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { LineIndex } from "../source/line-index.js";
import type { Source, Span } from "../source/source.js";

/**
 * Maximum number of errors, and of warnings, for one document. The first finding
 * with each code does not count.
 */
export const maxFindings = 1000;
/** Longer messages are truncated. */
const maxMessageLength = 300;

/** The parts of a diagnostic other than its message. */
export type Detail = Pick<Diagnostic, "notes" | "help"> & {
  /** Text that replaces the diagnostic's span or, if given, another span. */
  readonly replacement?: { readonly text: string; readonly span?: Span };
};

/** Collects the diagnostics of one document. */
export class Reporter {
  readonly source: Source;
  readonly lines: LineIndex;
  readonly diagnostics: Diagnostic[] = [];
  readonly #counts = { error: 0, warning: 0 };
  readonly #codes = new Set<ParseCode>();

  /** `lines` is the source's line index, if it already exists. */
  constructor(source: Source, lines?: LineIndex) {
    this.source = source;
    this.lines = lines ?? new LineIndex(source.text);
  }

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

  /** Reports a warning about input that is still accepted. */
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
    // Some codes mean that a document cannot be printed, so none may be missing.
    const isFirst = !this.#codes.has(code);
    if (!isFirst && ++this.#counts[severity] > maxFindings) return;
    this.#codes.add(code);
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
