import { printStructure, StructureKind } from "ts-morph";
import type { OutputFile } from "../../emitter.js";
import { headerOf, pathOf } from "../names/layout.js";
import { group, indent, join, line, ifBreak, render } from "./format.js";
import type { Form, Written } from "./forms/form.js";
import type { ImportedName } from "./imported-name.js";
import type { ImportLine, Imports } from "./imports.js";
import { quoteString } from "./quote.js";
import type { Declared } from "./declare.js";

/**
 * Prints a file in the forms that the project gets it: header, imports,
 * declarations with an empty line between.
 *
 * Output: text that Prettier would not change; nothing when there is no
 * declaration, because such a file is not written.
 */
export function printFile(
  imports: Imports,
  declared: readonly Declared[],
): readonly OutputFile[] {
  if (declared.length === 0) return [];
  const { file, forms, unit } = imports;
  return forms.map((form, index) => ({
    path: pathOf(unit, file) + form.ending,
    text: printForm(
      form,
      imports,
      declared.flatMap((each) => each.forms[index] ?? []),
    ),
  }));
}

function printForm(
  form: Form,
  imports: Imports,
  written: readonly Written[],
): string {
  const importLines = imports.lines(form.needs).map(printImport);
  const blocks = [
    [headerOf(imports.unit), ...importLines].join("\n"),
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
