import type { Field, Method, TypeReference } from "../../ir/contract.js";
import type { ContractIndex } from "../../ir/resolve.js";

/**
 * Path of a method as it stands in a request line, e.g. `/rpc/API/GetOrders`
 * or `/tokens/{network}/{tokenIDs}`; "" when the caller says where to.
 *
 * Parameters of a REST read are named as the properties of its request.
 */
export function routePath(method: Method): string {
  const { route } = method;
  switch (route.kind) {
    case "rpc":
      return encodePath(route.path, (name) => name);
    case "rest":
      return encodePath(
        route.path.text,
        (name) => fieldOf(name, method)?.jsonName ?? name,
      );
    case "webhook":
      return "";
  }
}

function encodePath(path: string, rename: (name: string) => string): string {
  const segments = path.split("/").map((segment) => {
    const name = /^\{(\w+)\}$/u.exec(segment)?.[1];
    return name === undefined ? encodeSegment(segment) : `{${rename(name)}}`;
  });
  return segments.join("/");
}

/** Percent-encoded where a URL needs it, so that both sides say the same. */
function encodeSegment(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}

function fieldOf(parameter: string, { request }: Method): Field | undefined {
  return request.fields.find(({ name }) => name === parameter);
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
