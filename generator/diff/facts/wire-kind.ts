import { isBytes } from "../../ir/bytes.js";
import type { TypeReference } from "../../ir/contract.js";
import { scalars } from "../../ir/scalars.js";
import type { ContractIndex } from "../../ir/resolve.js";

/**
 * What a value is on the wire. A struct is an `object`, a map a `map`, though
 * JSON has one word for them; bytes, big integers, moments and enums are texts.
 */
export type WireKind =
  | "any"
  | "array"
  | "boolean"
  | "file"
  | "map"
  | "null"
  | "number"
  | "object"
  | "string";

/** What values of a type are on the wire; aliases are looked through. */
export function wireKindOf(
  reference: TypeReference,
  index: ContractIndex,
): WireKind {
  const type = index.resolve(reference);
  switch (type.kind) {
    case "list":
      return isBytes(index, type) ? "string" : "array";
    case "map":
      return "map";
    case "reference":
      return index.type(type.name).kind === "struct" ? "object" : "string";
    case "scalar":
      break;
  }
  return scalars[type.name].wire;
}

/** As RIDL writes it, e.g. `map<string,[]Book>`. */
export function printType(type: TypeReference): string {
  switch (type.kind) {
    case "list":
      return `[]${printType(type.element)}`;
    case "map":
      return `map<${printType(type.key)},${printType(type.value)}>`;
    case "scalar":
    case "reference":
      return type.name;
  }
}
