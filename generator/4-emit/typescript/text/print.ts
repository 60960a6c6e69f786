import type { OutputFile } from "../../emitter/emitter.js";
import type { PrintedDeclaration, FileForms } from "./declare.js";
import type { Form } from "./forms.js";
import { printStructure } from "./print-structure.js";
import type { ImportStructure } from "./structures.js";

/** What surrounds the declarations of a file. */
export interface PrintedFile extends FileForms {
  /** First line of the file. */
  readonly header: string;
  /** Path below the output folder, without ending. */
  readonly path: string;
  /** Its import declarations in a form. */
  structures(form: Form): readonly ImportStructure[];
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
  declared: readonly PrintedDeclaration[],
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
  declarations: readonly string[],
): string {
  const lines = file
    .structures(form)
    .flatMap((structure) => printStructure(structure, form) ?? []);
  const blocks = [
    [file.header, ...lines].join("\n"),
    // Even one that declares nothing here is a module.
    ...(declarations.length === 0 ? ["export {};"] : declarations),
  ];
  return `${blocks.join("\n\n")}\n`;
}
