import type { OutputFile } from "../../emitter.js";
import { headerOf, pathOf } from "../names/layout.js";
import type { Declared } from "./declare.js";
import type { Form } from "./forms.js";
import type { Imports } from "./imports.js";
import { printImport } from "./print-module.js";

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
  declarations: readonly string[],
): string {
  const lines = imports
    .structures(form)
    .flatMap((structure) => printImport(structure, form) ?? []);
  const blocks = [
    [headerOf(imports.unit), ...lines].join("\n"),
    // Even one that declares nothing here is a module.
    ...(declarations.length === 0 ? ["export {};"] : declarations),
  ];
  return `${blocks.join("\n\n")}\n`;
}
