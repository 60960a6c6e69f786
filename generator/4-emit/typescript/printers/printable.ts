import type { Field, Method } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { structIn } from "../codecs/struct-in.js";

/**
 * What of a response has a printer: all of it, or the one field that is the body
 * of a REST read. Null for what is a file or has no fields, and where JSON's own
 * function does it, because the contract knows all of such a body.
 */
export function printedPart(
  index: ContractIndex,
  { response, route }: Method,
): "message" | Field | null {
  const { fields } = response;
  if (route.kind === "rest" && route.body !== null) {
    const { body } = route;
    const field = fields.find(({ jsonName }) => jsonName === body);
    return field && structIn(index, field.type) !== null ? field : null;
  }
  const isJson = fields.every(({ type }) => !isFile(index, type));
  return isJson && fields.length > 0 ? "message" : null;
}

function isFile(index: ContractIndex, type: Field["type"]): boolean {
  const resolved = index.resolve(type);
  return resolved.kind === "scalar" && resolved.name === "file";
}
