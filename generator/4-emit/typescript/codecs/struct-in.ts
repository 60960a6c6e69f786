import type { Field, Struct, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";

/** The struct that a type is, or is a list or map of; null for none. */
export function structIn(
  index: ContractIndex,
  reference: TypeReference,
): Struct | null {
  const resolved = index.resolve(reference);
  switch (resolved.kind) {
    case "list":
      return structIn(index, resolved.element);
    case "map":
      return structIn(index, resolved.value);
    case "scalar":
      return null;
    case "reference": {
      const type = index.type(resolved.name);
      return type.kind === "struct" ? type : null;
    }
  }
}

/** Every struct that fields hold, directly or in others, each once. */
export function* structsWithin(
  index: ContractIndex,
  fields: readonly Field[],
): Generator<Struct, void> {
  const seen = new Set<Struct>();
  const add = (list: readonly Field[]): void => {
    for (const { type } of list) {
      const struct = structIn(index, type);
      if (struct !== null) seen.add(struct);
    }
  };
  add(fields);
  // Not by recursion: structs may hold one another at length. A set is walked in
  // the order of insertion, new members included.
  for (const struct of seen) {
    yield struct;
    add(struct.fields);
  }
}
