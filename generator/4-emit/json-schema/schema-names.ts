import type { Contract, Method } from "../../ir/contract.js";
import { wireOf } from "../../http/wire-of.js";
import { rememberEach } from "../../ir/remember.js";
import { pascalCase } from "../names/casing.js";
import { NamePool } from "../names/name-pool.js";
import { isOpenUnion } from "./variant-keywords.js";

/** Names of the schemas of a document. */
export interface SchemaNames {
  /** Returns the name of a declared type. */
  type(name: string): string;
  /** Returns the name of the unknown variants of an open union. */
  unknownVariant(union: string): string;
  /** Returns the name of a message that is not a declared struct. */
  message(method: Method, side: MessageSide): string;
  /** Reserves another name: the first candidate that is free. */
  claim(...candidates: readonly [string, ...string[]]): string;
}

/** One of the two messages of a method. */
export type MessageSide = "request" | "response";

/**
 * Names the schemas of a document. Declared types keep their names, and
 * messages are named after their methods, e.g. `GetItemRequest`. If that name
 * is taken, or if several methods have the same name, the name is
 * `ShopGetItemRequestBody`.
 *
 * Input: the methods of the document.
 */
export function nameSchemas(
  contract: Contract,
  methods: readonly Method[],
): SchemaNames {
  const types = nameTypes(contract);
  const pool = new NamePool(new Set(), types.pool, componentName);
  const uses = new Map<string, number>();
  for (const { name } of methods) uses.set(name, (uses.get(name) ?? 0) + 1);
  const messageNames = {
    request: new Map<Method, string>(),
    response: new Map<Method, string>(),
  };
  for (const method of methods) {
    const long = pascalCase(method.service) + pascalCase(method.name);
    for (const [side, ending] of sides) {
      if (!hasOwnName(method, side)) continue;
      // Go clients declare a type with the operation's name and `Response`.
      const distinct = `${long}${ending}Body`;
      const claimed =
        uses.get(method.name) === 1
          ? pool.claim(pascalCase(method.name) + ending, distinct)
          : pool.claim(distinct);
      messageNames[side].set(method, claimed);
    }
  }
  return {
    type: (name) => types.names.get(name) ?? name,
    unknownVariant: (union) => types.unknown.get(union) ?? union,
    message: (method, side) => messageNames[side].get(method) ?? "",
    claim: (...candidates) => pool.claim(...candidates),
  };
}

/** Whether a message, or its body, is not a declared struct. */
function hasOwnName(method: Method, side: MessageSide): boolean {
  const { fields, struct } = method[side];
  if (struct === null) return true;
  const { request, response } = wireOf(method);
  if (side === "response") {
    return response.whole !== null || response.members.length < fields.length;
  }
  const { body } = request;
  const isPart = body.fields.length > 0 && body.fields.length < fields.length;
  return body.kind === "whole" || isPart;
}

/** Names declared types. The names are the same in all documents. */
const nameTypes = rememberEach(({ types }: Contract) => {
  const pool = new NamePool(new Set(), null, componentName);
  const names = new Map(
    types.map(({ name }) => [name, pool.claim(name)] as const),
  );
  const unknown = new Map(
    types
      .filter(isOpenUnion)
      .map(({ name }) => [name, pool.claim(`${name}UnknownVariant`)] as const),
  );
  return { names, unknown, pool };
});

const sides = [
  ["request", "Request"],
  ["response", "Response"],
] as const;

/** Removes the characters that OpenAPI forbids in names of components. */
export function componentName(name: string): string {
  return name.replace(/[^\w.-]/gu, "") || "_";
}
