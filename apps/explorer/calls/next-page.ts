import type { PagingData } from "../../../generator/4-emit/docs/explorer-data.js";
import { findInLinks } from "../../../runtime/typescript/wire/page-links.js";
import type { JsonNode } from "./json-text.js";

/**
 * Returns the request for the page that follows a response, or null if there is
 * none. Input: how the method returns pages, its request and its response.
 */
export function nextRequest(
  { answered, asked, isNumbered, linked }: PagingData,
  request: JsonNode,
  response: JsonNode,
): JsonNode | null {
  const next = memberOf(response, answered);
  const path = isNumbered ? [...asked, "page"] : asked;
  const page = isNumbered
    ? nextNumber(next, valueAt(request, path))
    : next?.kind === "string"
      ? nextToken(next, linked)
      : null;
  return page && withValue(request, path, page);
}

/** Returns the token of the next page, or its number in a link. */
function nextToken(
  next: JsonNode & { readonly kind: "string" },
  linked: PagingData["linked"],
): JsonNode | null {
  const value = linked ? findInLinks(next.value, linked.parameter) : next.value;
  if (!value) return null;
  if (!linked?.isNumber) return { kind: "string", value };
  return /^\d{1,15}$/u.test(value) ? { kind: "literal", text: value } : null;
}

/** Returns the number of the next page, as clients do. */
function nextNumber(
  answered: JsonNode | null,
  asked: JsonNode | null,
): JsonNode | null {
  const more = memberOf(answered, "more");
  if (more?.kind !== "literal" || more.text !== "true") return null;
  const number = memberOf(answered, "page") ?? asked;
  const page = number?.kind === "literal" ? Number(number.text) || 1 : 1;
  return { kind: "literal", text: String(page + 1) };
}

function memberOf(node: JsonNode | null, name: string): JsonNode | null {
  if (node?.kind !== "object") return null;
  return node.entries.find(([key]) => key === name)?.[1] ?? null;
}

function valueAt(node: JsonNode, path: readonly string[]): JsonNode | null {
  return path.reduce<JsonNode | null>(memberOf, node);
}

/** Returns an object with another value at a path. */
function withValue(
  node: JsonNode | null,
  [name, ...rest]: readonly string[],
  value: JsonNode,
): JsonNode {
  if (name === undefined) return value;
  const entries = node?.kind === "object" ? node.entries : [];
  const changed = withValue(memberOf(node, name), rest, value);
  const others = entries.filter(([key]) => key !== name);
  return { kind: "object", entries: [...others, [name, changed]] };
}
