import type { ts } from "ts-morph";
import type { RequestBody } from "../../../generator/ir/contract.js";
import { pathParameters } from "../../../generator/ir/path-template.js";
import { queryFieldsOf } from "../../../generator/ir/query-fields.js";
import type { RestRoute } from "../../../generator/ir/rest-route.js";
import { Unclear } from "./unclear.js";
import type { SymbolLookup } from "./uses.js";

/** The part of an old call that a value was, before it is spread. */
export type PartTitle = "body" | "path" | "query";

/**
 * Checks a value whose members become fields of the new call. In the old call,
 * members with names of other fields had no effect on them.
 *
 * Errors: {@link Unclear} if a member would replace another field, or would be
 * sent elsewhere or not at all.
 */
export function checkSpread(
  node: ts.Node,
  type: ts.Type,
  title: PartTitle,
  route: RestRoute,
  lookup: SymbolLookup,
): void {
  const all = namesIn(route);
  const own = new Set(all[title]);
  const others = new Set(Object.values(all).flat());
  own.forEach((name) => others.delete(name));
  const isBodySpread = title !== "body" && route.requestBody.kind === "fields";
  const members = membersOf(type, lookup);
  if (members === null) {
    if (title !== "query" && others.size === 0 && !isBodySpread) return;
    throw new Unclear(node, `it is not known which members the ${title} has`);
  }
  for (const name of members) {
    if (own.has(name)) continue;
    if (title === "body" && name === "toJSON") {
      throw new Unclear(node, "the body has a method `toJSON`");
    }
    if (others.has(name)) {
      const message = `the ${title} has a member \`${name}\`, which is the name of another field of the call`;
      throw new Unclear(node, message);
    }
    if (title === "query" || isBodySpread) {
      const message = `the ${title} has no parameter \`${name}\` in the contract`;
      throw new Unclear(node, message);
    }
  }
}

function namesIn(
  route: RestRoute,
): Readonly<Record<PartTitle | "headers", readonly string[]>> {
  return {
    body: bodyNames(route.requestBody),
    path: pathParameters(route.path),
    query: queryFieldsOf(route).map(({ field }) => field),
    headers: route.headers.map(({ field }) => field),
  };
}

function bodyNames(body: RequestBody): readonly string[] {
  switch (body.kind) {
    case "none":
      return [];
    case "field":
      return [body.field];
    case "fields":
      return body.fields;
  }
}

/** Returns the members that a value can have, or null if they are unknown. */
function membersOf(
  type: ts.Type,
  lookup: SymbolLookup,
): readonly string[] | null {
  const { checker, compiler } = lookup;
  const { Any, TypeParameter, Unknown, Object } = compiler.TypeFlags;
  if ((type.flags & (Any | Unknown)) !== 0) return null;
  if ((type.flags & TypeParameter) !== 0) {
    const base = checker.getBaseConstraintOfType(type);
    return base === undefined ? null : membersOf(base, lookup);
  }
  if (type.isUnion()) {
    const all = type.types.map((each) => membersOf(each, lookup));
    return all.every((each) => each !== null) ? all.flat() : null;
  }
  const isObject = (type.flags & Object) !== 0 || type.isIntersection();
  // Spreading null, undefined or false adds nothing.
  if (!isObject) return [];
  if (checker.getIndexInfosOfType(type).length > 0) return null;
  const { Method } = compiler.SymbolFlags;
  return type
    .getProperties()
    .filter(({ flags, name }) => (flags & Method) === 0 || name === "toJSON")
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("__#"));
}
