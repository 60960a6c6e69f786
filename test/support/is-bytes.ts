import type { TypeReference } from "../../generator/ir/contract.js";
import { isByteName } from "../../generator/ir/scalars.js";
import type { ContractIndex } from "../../generator/values/resolve.js";

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
