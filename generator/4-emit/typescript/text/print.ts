import {
  printStructure,
  StructureKind,
  type ClassDeclarationStructure,
} from "ts-morph";
import type { OutputFile } from "../../emitter.js";
import type { Statement } from "./build.js";
import { group, indent, join, line, ifBreak, render } from "./format.js";
import type { ImportLine, ImportedName, Imports } from "./imports.js";
import { headerOf, pathOf, type FileName, type Unit } from "../names/layout.js";
import { quoteString } from "./quote.js";

/**
 * Prints a file: header, imports, declarations with an empty line between.
 *
 * Output: text that Prettier would not change; null when there is no
 * declaration, because such a file is not written.
 */
export function printFile(
  unit: Unit,
  file: FileName,
  imports: Imports,
  statements: readonly Statement[],
): OutputFile | null {
  if (statements.length === 0) return null;
  const importLines = imports.lines().map(printImport);
  const blocks = [
    [headerOf(unit), ...importLines].join("\n"),
    ...printStatements(statements),
  ];
  return { path: pathOf(unit, file), text: `${blocks.join("\n\n")}\n` };
}

/** Texts as they are; what lies between them is printed in one batch. */
function printStatements(statements: readonly Statement[]): readonly string[] {
  const blocks: string[] = [];
  let batch: ClassDeclarationStructure[] = [];
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

function printClasses(statements: ClassDeclarationStructure[]): string {
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
