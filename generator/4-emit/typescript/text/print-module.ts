import { render } from "./format.js";
import type { Form } from "./forms.js";
import { quoteString } from "./quote.js";
import { bracesOf } from "./shapes.js";
import type {
  ExportStructure,
  ImportStructure,
  Specifier,
} from "./structures.js";

/** Prints an import declaration; null if nothing of it is left. */
export function printImport(
  structure: ImportStructure,
  form: Form,
): string | null {
  const { isTypeOnly, moduleSpecifier, namedImports } = structure;
  return printNames("import", isTypeOnly, namedImports, moduleSpecifier, form);
}

/** Prints a re-export; null if nothing of it is left. */
export function printExport(
  structure: ExportStructure,
  form: Form,
): string | null {
  const { isTypeOnly, moduleSpecifier, namedExports } = structure;
  return namedExports === undefined
    ? `export * from ${quoteString(moduleSpecifier)};`
    : printNames("export", isTypeOnly, namedExports, moduleSpecifier, form);
}

function printNames(
  keyword: "import" | "export",
  isTypeOnly = false,
  all: readonly Specifier[],
  from: string,
  form: Form,
): string | null {
  if (isTypeOnly && !form.hasTypes) return null;
  const names = form.hasTypes ? all : all.filter((name) => !name.isTypeOnly);
  if (names.length === 0) return null;
  const texts = names.map(({ alias, isTypeOnly, name }) => {
    const text = alias === undefined ? name : `${name} as ${alias}`;
    return isTypeOnly === true ? `type ${text}` : text;
  });
  const start = isTypeOnly ? `${keyword} type ` : `${keyword} `;
  return render([start, bracesOf(texts), ` from ${quoteString(from)};`]);
}
