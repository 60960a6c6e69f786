import { printStructure, StructureKind } from "ts-morph";
import type { OutputFile } from "../../emitter.js";
import { group, indent, join, line, ifBreak, render } from "./format.js";
import type { Form, Written } from "./forms/form.js";
import type { ImportedName } from "./imported-name.js";
import { quoteString } from "./quote.js";
import type { Declared } from "./declare.js";

/** One import declaration, its names sorted. */
export interface ImportLine {
  readonly from: string;
  readonly names: readonly ImportedName[];
}

/** What surrounds the declarations of a file. */
export interface PrintedFile {
  /** First line of the file. */
  readonly header: string;
  /** Path below the output folder, without ending. */
  readonly path: string;
  readonly forms: readonly Form[];
  /** Its imports. Input: which of the names are needed. */
  lines(needs: (name: ImportedName) => boolean): readonly ImportLine[];
}

/**
 * Prints a file in the forms that the project gets it: header, imports,
 * declarations with an empty line between.
 *
 * Output: text that Prettier would not change; nothing when there is no
 * declaration, because such a file is not written.
 */
export function printFile(
  file: PrintedFile,
  declared: readonly Declared[],
): readonly OutputFile[] {
  if (declared.length === 0) return [];
  return file.forms.map((form, index) => ({
    path: file.path + form.ending,
    text: printForm(
      form,
      file,
      declared.flatMap((each) => each.forms[index] ?? []),
    ),
  }));
}

function printForm(
  form: Form,
  file: PrintedFile,
  written: readonly Written[],
): string {
  const importLines = file.lines(form.needs).map(printImport);
  const blocks = [
    [file.header, ...importLines].join("\n"),
    // Even one that declares nothing here is a module.
    ...(written.length === 0 ? ["export {};"] : printStatements(written)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Texts as they are; what lies between them is printed in one batch. */
function printStatements(statements: readonly Written[]): readonly string[] {
  const blocks: string[] = [];
  let batch: Exclude<Written, string>[] = [];
  const printBatch = (): void => {
    if (batch.length > 0) blocks.push(printClasses(batch));
    batch = [];
  };
  for (const statement of statements) {
    if (typeof statement !== "string") batch.push(statement);
    else {
      printBatch();
      blocks.push(statement);
    }
  }
  printBatch();
  return blocks;
}

function printClasses(statements: Exclude<Written, string>[]): string {
  return printStructure(
    { kind: StructureKind.SourceFile, statements },
    { indentNumberOfSpaces: 2 },
  ).trimEnd();
}

/** An import declaration; `import type` when nothing in it is a value. */
export function printImport({ from, names }: ImportLine): string {
  const onlyTypes = names.every((name) => name.isType);
  const keyword = onlyTypes ? "import type {" : "import {";
  const parts = names.map((name) => importedText(name, onlyTypes));
  // A lone name is never put on a line of its own.
  if (parts.length === 1) {
    return `${keyword} ${parts.join("")} } from ${quoteString(from)};`;
  }
  return render([
    group([
      keyword,
      indent([line, join([",", line], parts)]),
      ifBreak(","),
      line,
      `}`,
    ]),
    ` from ${quoteString(from)};`,
  ]);
}

function importedText(
  { name, local, isType }: ImportedName,
  onlyTypes: boolean,
): string {
  const text = name === local ? name : `${name} as ${local}`;
  return isType && !onlyTypes ? `type ${text}` : text;
}
