import type { Field, Method, Struct } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { isInherited } from "../validators/field-access.js";

/**
 * Whether an object of these fields has a printer. Not where a field can be
 * anything, because JSON leaves some things out; and not where it is called as
 * something that every object inherits.
 */
export function isPrintable(
  index: ContractIndex,
  fields: readonly Field[],
): boolean {
  return fields.every(({ jsonName, type }) => {
    const resolved = index.resolve(type);
    const isOpen =
      resolved.kind === "scalar" &&
      (resolved.name === "any" || resolved.name === "file");
    return !isOpen && !isInherited(jsonName);
  });
}

/** Whether the responses of a method have a printer. */
export function hasPrinter(
  index: ContractIndex,
  { response, route }: Method,
): boolean {
  // Of some REST reads, one field is the whole body.
  const isWhole = route.kind !== "rest" || route.body === null;
  return (
    isWhole && response.fields.length > 0 && isPrintable(index, response.fields)
  );
}

/** The struct that a field is, or is a list of, when it has a printer. */
export function printedStruct(
  index: ContractIndex,
  { type }: Field,
): Struct | null {
  const resolved = index.resolve(type);
  const inner =
    resolved.kind === "list" ? index.resolve(resolved.element) : resolved;
  if (inner.kind !== "reference") return null;
  const declared = index.type(inner.name);
  const isStruct =
    declared.kind === "struct" && isPrintable(index, declared.fields);
  return isStruct ? declared : null;
}
