import { render } from "../format.js";
import { quoteString } from "../quote.js";
import { namedExportOf } from "../shapes.js";
import type { ReexportAllStatement, ReexportStatement } from "../statements.js";

/** `export … from`, in which types are marked. */
export function printReexport({ from, names }: ReexportStatement): string {
  const onlyTypes = names.every(({ isType }) => isType);
  const texts = names.map(({ isType, name }) =>
    isType && !onlyTypes ? `type ${name}` : name,
  );
  return render(namedExportOf(texts, from, onlyTypes));
}

/** `export * from "…"`, a line for each file. */
export function printReexports({ from }: ReexportAllStatement): string {
  const lines = from.map((each) => `export * from ${quoteString(each)};`);
  return lines.join("\n");
}
