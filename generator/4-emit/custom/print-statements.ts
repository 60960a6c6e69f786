import type { Contract } from "../../ir/contract.js";
import type { EmitOptions, OutputFile } from "../emitter/emitter.js";
import { headerOf } from "../typescript/plan/layout.js";
import { formsOf } from "../typescript/text/forms.js";
import { printFile } from "../typescript/text/print.js";
import { kinds, type ImportStructure } from "../typescript/text/structures.js";
import type { Statement, StatementsFile } from "./emit-function.js";

/**
 * Prints a file that a custom emitter returns as data, in each form of the
 * project's language, with its imports first.
 */
export function printStatements(
  { path, statements }: StatementsFile,
  { hosts }: Contract,
  settings: EmitOptions,
): readonly OutputFile[] {
  const imports = statements.filter(isImport);
  const others = statements.filter((each) => !isImport(each));
  const file = {
    header: headerOf({ documents: hosts.map(({ document }) => document) }),
    isChecked: true,
    path,
    forms: formsOf(settings),
    structures: () => imports,
  };
  return printFile(file, others);
}

function isImport(statement: Statement): statement is ImportStructure {
  return typeof statement !== "string" && statement.kind === kinds.import;
}
