import type { Field, TypeReference } from "../../../ir/contract.js";
import { structIn } from "../codecs/struct-in.js";
import type { TypeContext } from "../types/type-text.js";
import { writingOf } from "./writing.js";

/**
 * Code for the JSON of a value that is there, without the quotes around text.
 *
 * Output: e.g. `jsonList(value.orders, printOrder)`.
 */
export function jsonOf(
  context: TypeContext,
  field: Field,
  value: string,
): string {
  const { imports, index } = context;
  if (structIn(index, field.type) !== null) {
    return printed(context, field.type, value);
  }
  switch (writingOf(index, field)) {
    case "bare":
    case "quoted":
      return value;
    case "escaped":
      return `${imports.runtime("printing", "escapeJson")}(${value})`;
    case "any":
      return `${imports.runtime("json", "stringifyJson")}(${value})`;
  }
}

/** A struct, or a list or map in which there are some, printed. */
function printed(
  context: TypeContext,
  reference: TypeReference,
  value: string,
): string {
  const { imports, index } = context;
  const resolved = index.resolve(reference);
  if (resolved.kind !== "list" && resolved.kind !== "map") {
    return `${printerOf(context, resolved)}(${value})`;
  }
  const isList = resolved.kind === "list";
  const inner = isList ? resolved.element : resolved.value;
  const print = imports.runtime("printing", isList ? "jsonList" : "jsonMap");
  return `${print}(${value}, ${printerOf(context, inner)})`;
}

/** Code for the function that prints such values. */
function printerOf(context: TypeContext, reference: TypeReference): string {
  const { imports, index, layout } = context;
  const resolved = index.resolve(reference);
  if (resolved.kind !== "reference") {
    return `(item) => ${printed(context, resolved, "item")}`;
  }
  const name = `print${layout.names.type(resolved.name)}`;
  return imports.generated(layout.unitOfType(resolved.name), "printers", name);
}
