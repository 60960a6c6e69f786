import type { Contract, Host, TypeReference } from "../../ir/contract.js";
import { isBytes } from "../../ir/bytes.js";
import { methodsOf } from "../../ir/methods-of.js";
import { type ContractIndex, createIndex } from "../../ir/resolve.js";

/** How JSON represents types that it lacks. */
const representations = {
  bigint: "`bigint` is a string of decimal digits",
  timestamp:
    "`timestamp` is a string such as `2026-01-31T12:00:00Z` (RFC 3339)",
  bytes: "a list of `byte` or `uint8` is a base64 string",
};

/**
 * Describes how JSON represents the host's types that it lacks. Returns "" if
 * there are none.
 */
export function describeJson(contract: Contract, { services }: Host): string {
  const index = createIndex(contract);
  const messages = methodsOf(services).flatMap(({ request, response }) => [
    ...request.fields,
    ...response.fields,
  ]);
  const types = contract.types.flatMap((type) => {
    if (type.kind === "struct") return type.fields.map((field) => field.type);
    return type.kind === "alias" ? [type.type] : [];
  });
  const all = [...messages.map(({ type }) => type), ...types];
  const found = new Set(all.flatMap((type) => namesIn(type, index)));
  const notes = Object.entries(representations).flatMap(([name, note]) =>
    found.has(name) ? note : [],
  );
  return notes.length === 0 ? "" : `In JSON, ${notes.join("; ")}.`;
}

function namesIn(type: TypeReference, index: ContractIndex): readonly string[] {
  if (isBytes(index, type)) return ["bytes"];
  switch (type.kind) {
    case "list":
      return namesIn(type.element, index);
    case "map":
      return [...namesIn(type.key, index), ...namesIn(type.value, index)];
    case "scalar":
      return [type.name];
    case "reference":
      return [];
  }
}
