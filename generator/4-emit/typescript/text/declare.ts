import type { Form } from "./forms.js";
import { printStructure } from "./print-structure.js";
import type { Structure } from "./structures.js";

/** What a file is written as. */
export interface FileForms {
  readonly forms: readonly Form[];
}

/** A declaration as it is printed in each form of its file. */
export interface PrintedDeclaration {
  /** By form; null where a form has nothing of it. */
  readonly forms: readonly (string | null)[];
}

/** Prints declarations of the file with these imports, one below the other. */
export function declare(
  { forms }: FileForms,
  ...structures: readonly Structure[]
): PrintedDeclaration {
  // At once: layouts that wait for the whole file take memory, and time with it.
  const printed = forms.map((form) => {
    const texts = structures.flatMap(
      (structure) => printStructure(structure, form) ?? [],
    );
    return texts.length === 0 ? null : texts.join("\n");
  });
  return { forms: printed };
}
