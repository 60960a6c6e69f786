import { isBytes } from "../../../ir/bytes.js";
import type { Field, ScalarName, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { acceptsInteger } from "../codecs/exact-integers.js";
import { isPlainPattern, isPlainText } from "./plain-text.js";

/** Whether the JSON of a field is a string. */
export function isQuoted(index: ContractIndex, field: Field): boolean {
  return ["quoted", "escaped"].includes(writingOf(index, field));
}

/**
 * How JSON has a value: as it is, in quotes, in quotes and escaped, or as
 * JSON's own function finds out.
 */
export type Writing = "bare" | "quoted" | "escaped" | "any";

/** How JSON has the values of a field that hold no structs. */
export function writingOf(index: ContractIndex, field: Field): Writing {
  if (isBytes(index, field.type)) return "quoted";
  // Text that may be a number.
  if (acceptsInteger(index, field.type)) return "any";
  const resolved = index.resolve(field.type);
  if (resolved.kind === "scalar")
    return writingOfScalar(index, field, resolved.name);
  return resolved.kind === "reference" ? writingOfEnum(index, resolved) : "any";
}

function writingOfScalar(
  index: ContractIndex,
  field: Field,
  name: ScalarName,
): Writing {
  switch (name) {
    case "any":
    case "file":
      return "any";
    case "string": {
      const { pattern } = index.constraintsOf(field);
      return pattern !== undefined && isPlainPattern(pattern)
        ? "quoted"
        : "escaped";
    }
    case "bigint":
    case "timestamp":
      return "quoted";
    default:
      return "bare";
  }
}

function writingOfEnum(
  index: ContractIndex,
  { name }: Extract<TypeReference, { kind: "reference" }>,
): Writing {
  const declared = index.type(name);
  if (declared.kind !== "enum") return "any";
  const values = declared.members.map(({ jsonValue }) => jsonValue);
  return values.every(isPlainText) ? "quoted" : "escaped";
}
