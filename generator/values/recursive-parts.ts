import type { Field, TypeDeclaration, TypeReference } from "../ir/contract.js";
import { typesIn } from "./reachable-types.js";
import type { ContractValues } from "./value.js";

/**
 * Whether values of a type contain values of a declared type in themselves, not
 * only in lists and maps. In languages without references, they need a box.
 */
export function isHeldBy(
  values: Pick<ContractValues, "type">,
  name: string,
  type: TypeReference,
): boolean {
  const names = new Set<string>();
  const add = (each: TypeReference): void => {
    if (each.kind === "reference") names.add(each.name);
  };
  add(type);
  // The loop also visits names that it adds to the set.
  for (const each of names) typesIn(values.type(each)).forEach(add);
  return names.has(name);
}

/** Returns the fields that contain their own struct (see {@link isHeldBy}). */
export function recursiveFields(
  types: readonly TypeDeclaration[],
  values: Pick<ContractValues, "type">,
): ReadonlySet<Field> {
  const fields = types.flatMap((type) =>
    type.kind === "struct"
      ? type.fields.filter((field) => isHeldBy(values, type.name, field.type))
      : [],
  );
  return new Set(fields);
}
