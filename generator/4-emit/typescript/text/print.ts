import type { OutputFile } from "../../emitter/emitter.js";
import type { Form } from "./forms.js";
import { printStructure } from "./print-structure.js";
import { kinds, type ImportStructure, type Structure } from "./structures.js";

/** Everything in a file except its declarations. */
export interface PrintedFile {
  /** The forms in which the file is written. */
  readonly forms: readonly Form[];
  /** The first line of the file. */
  readonly header: string;
  /** Whether the compilers of projects check the file in TypeScript. */
  readonly isChecked: boolean;
  /** The path below the output folder, without an extension. */
  readonly path: string;
  /** Returns its import declarations in a form. */
  structures(form: Form): readonly ImportStructure[];
}

/**
 * The second line of files with code. A project's compiler would check their
 * bodies on every run, which takes most of the time, although tests of ridlkit
 * have checked what it prints.
 */
const unchecked = "// @ts-nocheck";

/**
 * Prints a file in the forms that the project uses: header, imports, and
 * declarations separated by empty lines. Code that is not a structure is
 * omitted from declaration files.
 *
 * Returns one file for each form, which Prettier would not change. Returns no
 * files if there are no declarations, because empty files are not written.
 */
export function printFile(
  file: PrintedFile,
  declared: Iterable<Structure | string>,
): readonly OutputFile[] {
  const parts = file.forms.map((form) => ({
    form,
    text: "",
    isExport: false,
    hasLocals: false,
  }));
  let isEmpty = true;
  // Prints one at a time, because the layouts of a whole file take a lot of
  // memory.
  for (const each of declared) {
    isEmpty = false;
    const isExport = typeof each !== "string" && each.kind === kinds.export;
    for (const part of parts) {
      const text = printPart(each, part.form);
      if (text === null) continue;
      // No empty line between re-exports.
      part.text += `${isExport && part.isExport ? "" : "\n"}${text}\n`;
      part.isExport = isExport;
      part.hasLocals ||= isLocal(each);
    }
  }
  if (isEmpty) return [];
  return parts.map(({ form, hasLocals, text }) => {
    const imports = file
      .structures(form)
      .flatMap((structure) => printStructure(structure, form) ?? []);
    const isChecked = file.isChecked || form.ending !== ".ts";
    const first = isChecked ? [file.header] : [file.header, unchecked];
    const head = [...first, ...imports].join("\n");
    // A file without declarations is still a module, and a declaration file
    // without this line would export its local declarations, too.
    const needsExport = text === "" || (hasLocals && !form.hasCode);
    const body = needsExport ? `${text}\nexport {};\n` : text;
    return { path: file.path + form.ending, text: `${head}\n${body}` };
  });
}

function isLocal(part: Structure | string): boolean {
  return (
    typeof part !== "string" && "isExported" in part && part.isExported !== true
  );
}

function printPart(part: Structure | string, form: Form): string | null {
  if (typeof part !== "string") return printStructure(part, form);
  return form.hasCode ? part : null;
}
