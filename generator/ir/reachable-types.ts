import type { Service, TypeReference } from "./contract.js";
import type { ContractIndex } from "./resolve.js";

/**
 * Returns `others`, the names of the types in messages of services, and the
 * names of all types that these contain.
 */
export function findReachable(
  services: readonly Service[],
  index: Pick<ContractIndex, "type">,
  others: readonly string[] = [],
): ReadonlySet<string> {
  const names = new Set<string>(others);
  const visit = (reference: TypeReference): void => {
    switch (reference.kind) {
      case "scalar":
        return;
      case "list":
        visit(reference.element);
        return;
      case "map":
        visit(reference.key);
        visit(reference.value);
        return;
      case "reference":
        names.add(reference.name);
        return;
    }
  };
  for (const { methods } of services) {
    for (const { request, response } of methods) {
      for (const message of [request, response]) {
        if (message.struct !== null) names.add(message.struct);
        for (const field of message.fields) visit(field.type);
      }
    }
  }
  // The loop also visits names that it adds to the set.
  for (const name of names) {
    const type = index.type(name);
    if (type.kind === "alias") visit(type.type);
    if (type.kind !== "struct") continue;
    for (const field of type.fields) visit(field.type);
  }
  return names;
}
