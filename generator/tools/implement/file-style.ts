import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/** How a file is written, as far as code that is added has to look like it. */
export interface FileStyle {
  readonly lineBreak: string;
  /** One step of indentation. */
  readonly indent: string;
  readonly quote: string;
  /** `;`, or "" if statements end without one. */
  readonly semicolon: string;
}

/** Longer lines are broken. */
export const maxWidth = 80;

/** How new files are written. */
export const defaultStyle: FileStyle = {
  lineBreak: "\n",
  indent: "  ",
  quote: '"',
  semicolon: ";",
};

/** Finds out how a file is written. */
export function readStyle(
  source: ts.SourceFile,
  compiler: Compiler,
): FileStyle {
  const { text } = source;
  const [lineBreak = "\n"] = /\r?\n/u.exec(text) ?? [];
  // A line of a comment begins with a space and a star.
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

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? "";
}
