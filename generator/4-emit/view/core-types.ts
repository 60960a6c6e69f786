import type { Contract, Method, TypeReference } from "../../ir/contract.js";
import { typesIn } from "../../values/reachable-types.js";
import type { ContractValues } from "../../values/value.js";

/** Returns the core types of methods and declared types, and `bytes`. */
export function coreTypesOf(
  { types }: Contract,
  methods: readonly Method[],
  values: ContractValues,
): ReadonlySet<string> {
  const messages = methods.flatMap(({ request, response }) => [
    ...request.fields,
    ...response.fields,
  ]);
  const all = [...messages.map(({ type }) => type), ...types.flatMap(typesIn)];
  return new Set(all.flatMap((type) => namesIn(type, values)));
}

/** Returns the core types in a type as written, and `bytes`. */
function namesIn(
  type: TypeReference,
  values: ContractValues,
): readonly string[] {
  const value = values.valueOf(type);
  if (value.kind === "bytes") return [value.kind];
  // Aliases are described on their own.
  if (value.name !== null) return [];
  switch (value.kind) {
    case "list":
      return namesIn(value.element, values);
    case "map":
      return [...namesIn(value.key, values), ...namesIn(value.held, values)];
    case "scalar":
      return [value.scalar];
    case "enum":
    case "struct":
    case "union":
      return [];
  }
}
