import type { ts } from "ts-morph";
import { lineStartAt } from "../../generator/source/line-index.js";
import type { Compiler } from "./compiler.js";

/** The style of a file, which added code has to match. */
export interface FileStyle {
  readonly lineBreak: string;
  /** One step of indentation. */
  readonly indent: string;
  readonly quote: string;
  /** `;`, or "" if statements end without one. */
  readonly semicolon: string;
}

/** Maximum width of lines. */
export const maxWidth = 80;

/** Style of new files. */
export const defaultStyle: FileStyle = {
  lineBreak: "\n",
  indent: "  ",
  quote: '"',
  semicolon: ";",
};

/** Detects the style of a file. */
export function readStyle(
  source: ts.SourceFile,
  compiler: Compiler,
): FileStyle {
  const { text } = source;
  const [lineBreak = "\n"] = /\r?\n/u.exec(text) ?? [];
  // Lines of a block comment begin with a space and a star.
  const [, indent = "  "] = /^(\t|  +)(?![\s*])/mu.exec(text) ?? [];
  return {
    lineBreak,
    indent,
    quote: quoteIn(source, compiler),
    semicolon: hasSemicolons(source, compiler) ? ";" : "",
  };
}

function quoteIn({ statements }: ts.SourceFile, compiler: Compiler): string {
  const quotes = statements
    .filter(compiler.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier.getText()[0]);
  return quotes[0] ?? defaultStyle.quote;
}

function hasSemicolons(
  { statements }: ts.SourceFile,
  compiler: Compiler,
): boolean {
  const simple = statements.find(
    (statement) =>
      compiler.isImportDeclaration(statement) ||
      compiler.isVariableStatement(statement) ||
      compiler.isExpressionStatement(statement),
  );
  return simple === undefined || simple.getText().endsWith(";");
}

/** Returns the indentation of the line that contains an offset. */
export function indentAt(text: string, offset: number): string {
  return (
    /^[ \t]*/u.exec(text.slice(lineStartAt(text, offset), offset))?.[0] ?? ""
  );
}
