import type { Written } from "./forms/form.js";
import type { PrintedFile } from "./print.js";
import type { Statement } from "./statements.js";

/** A declaration as it is written in the file. */
export interface Declared {
  /** In each form of the file; null where a form has nothing of it. */
  readonly forms: readonly (Written | null)[];
}

/** Writes a declaration of the file that these are the imports of. */
export function declare(
  imports: Pick<PrintedFile, "forms">,
  statement: Statement,
): Declared {
  // At once: layouts that wait for the whole file take memory, and time with it.
  return { forms: imports.forms.map((form) => form.write(statement)) };
}
