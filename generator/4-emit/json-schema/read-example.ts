import type { TypeReference } from "../../ir/contract.js";
import type { ContractIndex } from "../../ir/resolve.js";
import { scalars } from "../../ir/scalars.js";
import type { JsonValue } from "../emitter/json-value.js";

/**
 * Converts an example to a JSON value. Returns undefined if it cannot be read
 * as a value of the type.
 */
export function readExample(
  index: ContractIndex,
  of: TypeReference,
  example: string,
): JsonValue {
  const type = index.resolve(of);
  if (type.kind === "reference") {
    return index.type(type.name).kind === "enum" ? example : undefined;
  }
  const wire = type.kind === "scalar" ? scalars[type.name].wire : "list";
  switch (wire) {
    case "string":
      return example;
    case "boolean":
      return example === "true" || (example === "false" ? false : undefined);
    case "number":
      return readNumber(example);
    case "any":
    case "file":
    case "null":
    case "list":
      return undefined;
  }
}

/**
 * Reads a JSON number. An integer beyond ±(2^53-1) becomes a bigint. Returns
 * undefined for other text.
 */
function readNumber(text: string): JsonValue {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes(".")
    ? number
    : BigInt(text);
}
