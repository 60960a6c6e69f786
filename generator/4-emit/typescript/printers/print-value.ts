import type { Field, TypeReference } from "../../../ir/contract.js";
import { structIn } from "../codecs/struct-in.js";
import type { Doc } from "../text/format.js";
import { callOf, callWithArrow } from "../text/shapes.js";
import type { TypeContext } from "../types/type-text.js";
import { writingOf } from "./writing.js";

/**
 * The JSON of a value that is there, without the quotes around text.
 *
 * Output: e.g. `jsonList(value.orders, printOrder)`.
 */
export function jsonOf(context: TypeContext, field: Field, value: string): Doc {
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
): Doc {
  const resolved = context.index.resolve(reference);
  switch (resolved.kind) {
    case "scalar":
      return value;
    case "reference":
      return callOf(printerOf(context, resolved.name), [value]);
    case "list":
      return eachPrinted(context, "jsonList", resolved.element, value);
    case "map":
      return eachPrinted(context, "jsonMap", resolved.value, value);
  }
}

/** A list or map, what it holds printed one by one. */
function eachPrinted(
  context: TypeContext,
  name: "jsonList" | "jsonMap",
  reference: TypeReference,
  value: string,
): Doc {
  const callee = context.imports.runtime("printing", name);
  const held = context.index.resolve(reference);
  return held.kind === "reference"
    ? callOf(callee, [value, printerOf(context, held.name)])
    : callWithArrow(callee, [value], "item", printed(context, held, "item"));
}

/** The function that prints a struct. */
function printerOf({ imports, layout }: TypeContext, name: string): string {
  const print = `print${layout.names.type(name)}`;
  return imports.generated(layout.unitOfType(name), "printers", print);
}
