import type { OutputFile } from "../../emitter/emitter.js";
import type { Form } from "./forms.js";
import { printStructure } from "./print-structure.js";
import { kinds, type ImportStructure, type Structure } from "./structures.js";

/** What surrounds the declarations of a file. */
export interface PrintedFile {
  /** What the file is written as. */
  readonly forms: readonly Form[];
  /** First line of the file. */
  readonly header: string;
  /** Path below the output folder, without ending. */
  readonly path: string;
  /** Its import declarations in a form. */
  structures(form: Form): readonly ImportStructure[];
}

/**
 * Prints a file in the forms that the project gets it: header, imports,
 * declarations with an empty line between. Code that is not a structure stands
 * in files that run.
 *
 * Output: text that Prettier would not change; nothing when there is no
 * declaration, because such a file is not written.
 */
export function printFile(
  file: PrintedFile,
  declared: Iterable<Structure | string>,
): readonly OutputFile[] {
  const parts = file.forms.map((form) => ({ form, text: "", isExport: false }));
  let isEmpty = true;
  // One after the other: layouts that wait for the whole file take memory.
  for (const each of declared) {
    isEmpty = false;
    const isExport = typeof each !== "string" && each.kind === kinds.export;
    for (const part of parts) {
      const text = printPart(each, part.form);
      if (text === null) continue;
      // Re-exports stand together, as imports do.
      part.text += `${isExport && part.isExport ? "" : "\n"}${text}\n`;
      part.isExport = isExport;
    }
  }
  if (isEmpty) return [];
  return parts.map(({ form, text }) => {
    const imports = file
      .structures(form)
      .flatMap((structure) => printStructure(structure, form) ?? []);
    const head = [file.header, ...imports].join("\n");
    // Even one that declares nothing here is a module.
    const body = text === "" ? "\nexport {};\n" : text;
    return { path: file.path + form.ending, text: `${head}\n${body}` };
  });
}

function printPart(part: Structure | string, form: Form): string | null {
  if (typeof part !== "string") return printStructure(part, form);
  return form.hasCode ? part : null;
}
