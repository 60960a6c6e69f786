import type { TypeReference } from "../../../ir/contract.js";
import type { Doc } from "../text/format.js";
import { callOf, callWithArrow } from "../text/shapes.js";
import type { CodecContext } from "./codec-context.js";

/** Name of the function that converts a type; null for lists and maps. */
type FunctionName = (
  context: CodecContext,
  reference: TypeReference,
) => string | null;

/** A value of a type, converted: lists and maps item by item. */
export function convertedBy(
  context: CodecContext,
  verb: "decode" | "encode",
  nameOf: FunctionName,
  reference: TypeReference,
  value: Doc,
): Doc {
  const name = nameOf(context, reference);
  if (name !== null) return callOf(name, [value]);
  const resolved = context.index.resolve(reference);
  if (resolved.kind !== "list" && resolved.kind !== "map") return value;
  const isList = resolved.kind === "list";
  const inner = isList ? resolved.element : resolved.value;
  const callee = context.imports.runtime(
    "codec",
    `${verb}${isList ? "List" : "Record"}`,
  );
  const innerName = nameOf(context, inner);
  if (innerName !== null) return callOf(callee, [value, innerName]);
  const item = convertedBy(context, verb, nameOf, inner, "item");
  return callWithArrow(callee, [value], "item", item);
}
