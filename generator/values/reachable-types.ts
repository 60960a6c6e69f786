import type {
  Service,
  TypeDeclaration,
  TypeReference,
} from "../ir/contract.js";
import type { ContractValues } from "./value.js";

/**
 * Returns `others`, the names of the types in messages of services, and the
 * names of all types that these contain.
 */
export function findReachable(
  services: readonly Pick<Service, "methods">[],
  values: Pick<ContractValues, "type">,
  others: readonly string[] = [],
): ReadonlySet<string> {
  const names = new Set<string>(others);
  for (const { methods } of services) {
    for (const { request, response } of methods) {
      for (const message of [request, response]) {
        if (message.struct !== null) names.add(message.struct);
        for (const { type } of message.fields) addNames(type, names);
      }
    }
  }
  return addContained(names, values);
}

/** Adds the names of the types that types contain. */
function addContained(
  names: Set<string>,
  values: Pick<ContractValues, "type">,
): ReadonlySet<string> {
  // The loop also visits names that it adds to the set.
  for (const name of names) {
    for (const type of typesIn(values.type(name))) addNames(type, names);
  }
  return names;
}

/** Returns the names of all types that a type contains, with its own. */
export function typesWithin(
  values: Pick<ContractValues, "type">,
  type: TypeReference,
): ReadonlySet<string> {
  const names = new Set<string>();
  addNames(type, names);
  return addContained(names, values);
}

/** Returns the types that a declaration contains, as written. */
export function typesIn(
  declaration: TypeDeclaration,
): readonly TypeReference[] {
  switch (declaration.kind) {
    case "struct":
      return declaration.fields.map(({ type }) => type);
    case "alias":
      return [declaration.type];
    case "union":
      return declaration.variants;
    case "enum":
      return [];
  }
}

function addNames(type: TypeReference, names: Set<string>): void {
  switch (type.kind) {
    case "scalar":
      return;
    case "list":
      return addNames(type.element, names);
    case "map":
      addNames(type.key, names);
      return addNames(type.value, names);
    case "reference":
      names.add(type.name);
  }
}
