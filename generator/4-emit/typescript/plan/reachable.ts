import type { Host, TypeReference } from "../../../ir/contract.js";
import type { TypePlan } from "./plan.js";

/** Returns the declared types that some message of a host holds, by name. */
export function findReachable(
  { services }: Host,
  types: ReadonlyMap<string, TypePlan>,
): ReadonlySet<string> {
  const names = new Set<string>();
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
  // A set is walked in the order of insertion, new members included.
  for (const name of names) {
    const type = types.get(name);
    if (type?.kind === "alias") visit(type.alias.type);
    if (type?.kind !== "struct") continue;
    for (const field of type.struct.fields) visit(field.type);
  }
  return names;
}
