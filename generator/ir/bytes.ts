import type { ScalarName, TypeReference } from "./contract.js";
import type { ContractIndex } from "./resolve.js";

/** Whether a type is a list of bytes, which is base64 on the wire. */
export function isBytes(
  index: ContractIndex,
  reference: TypeReference,
): boolean {
  const list = index.resolve(reference);
  if (list.kind !== "list") return false;
  const element = index.resolve(list.element);
  return element.kind === "scalar" && isByteName(element.name);
}

/** Whether a list of this core type counts as bytes. */
export function isByteName(name: ScalarName): boolean {
  return name === "byte" || name === "uint8";
}
