import type { Host, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";

/** Names of the declared types that some message of a host holds. */
export function reachableFrom(
  host: Host,
  index: ContractIndex,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (reference: TypeReference): void => {
    if (reference.kind === "list") visit(reference.element);
    if (reference.kind === "map") {
      visit(reference.key);
      visit(reference.value);
    }
    if (reference.kind === "reference") names.add(reference.name);
  };
  for (const { methods } of host.services) {
    for (const { request, response } of methods) {
      for (const message of [request, response]) {
        if (message.struct !== null) names.add(message.struct);
        for (const field of message.fields) visit(field.type);
      }
    }
  }
  // A set is walked in the order of insertion, new members included.
  for (const name of names) {
    const type = index.type(name);
    if (type.kind === "alias") visit(type.type);
    if (type.kind !== "struct") continue;
    for (const field of type.fields) visit(field.type);
  }
  return names;
}
