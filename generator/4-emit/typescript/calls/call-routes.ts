import type { Method, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";

/**
 * Path of a method as it stands in a request line, e.g. `/rpc/API/GetOrders`
 * or `/tokens/{network}/{tokenIDs}`; "" when the caller says where to.
 */
export function routePath({ route }: Method): string {
  switch (route.kind) {
    case "rpc":
      return encodePath(route.path);
    case "rest":
      return encodePath(route.path.text);
    case "webhook":
      return "";
  }
}

function encodePath(path: string): string {
  if (/^[\w/.-]*$/u.test(path)) return path;
  const isParameter = /^\{\w+\}$/u;
  return path
    .split("/")
    .map((part) => (isParameter.test(part) ? part : encodeSegment(part)))
    .join("/");
}

/** Percent-encoded where a URL needs it, so that both sides say the same. */
function encodeSegment(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}

/** Fields in the path of a REST read whose text has to be taken apart. */
export interface PathFields {
  /** Properties that are lists: their elements stand between commas. */
  readonly lists: readonly string[];
  /** Properties whose value (or element) is a number or a boolean. */
  readonly json: readonly string[];
}

/** Input: a method with a REST route. */
export function pathFields(index: ContractIndex, method: Method): PathFields {
  const fields = method.request.fields.map(({ jsonName, type }) => {
    const resolved = index.resolve(type);
    const isList = resolved.kind === "list";
    const value = isList ? index.resolve(resolved.element) : resolved;
    return { jsonName, isList, isJson: isNumberOrBoolean(value) };
  });
  const namesOf = (chosen: typeof fields): readonly string[] =>
    chosen.map(({ jsonName }) => jsonName);
  return {
    lists: namesOf(fields.filter(({ isList }) => isList)),
    json: namesOf(fields.filter(({ isJson }) => isJson)),
  };
}

/** Whether a value is written in JSON without quotes. */
function isNumberOrBoolean(type: TypeReference): boolean {
  if (type.kind !== "scalar") return false;
  switch (type.name) {
    case "any":
    case "bigint":
    case "file":
    case "null":
    case "string":
    case "timestamp":
      return false;
    default:
      return true;
  }
}
