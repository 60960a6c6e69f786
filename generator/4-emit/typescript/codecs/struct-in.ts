import type { Struct, TypeReference } from "../../../ir/contract.js";
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
