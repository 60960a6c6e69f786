import type { ParseCode } from "../../diagnostics/catalogue.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { LineIndex } from "../../source/line-index.js";
import type { Source, Span } from "../../source/source.js";

/** The document that is read, and what is found in it. */
export class FormReporter {
  readonly source: Source;
  readonly lines: LineIndex;
  readonly diagnostics: Diagnostic[] = [];

  constructor(source: Source) {
    this.source = source;
    this.lines = new LineIndex(source.text);
  }

  error(code: ParseCode, span: Span, message: string, help?: string): void {
    this.#report("error", code, span, message, help);
  }

  warn(code: ParseCode, span: Span, message: string, help?: string): void {
    this.#report("warning", code, span, message, help);
  }

  #report(
    severity: "error" | "warning",
    code: ParseCode,
    span: Span,
    message: string,
    help: string | undefined,
  ): void {
    const location = { source: this.source, span };
    const finding = { code, severity, message, location };
    this.diagnostics.push(help === undefined ? finding : { ...finding, help });
  }
}
