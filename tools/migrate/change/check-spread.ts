import type { ts } from "ts-morph";
import {
  type FieldSlot,
  foldRequest,
  skip,
} from "../../../generator/http/slots.js";
import type { WireRequest } from "../../../generator/http/wire-method.js";
import { UnsupportedCode } from "./unsupported-code.js";
import type { SymbolLookup } from "./uses.js";

/** The part of an old call that a value was, before it is spread. */
export type PartTitle = "body" | "path" | "query";

/**
 * Checks a value whose members become fields of the new call. In the old call,
 * members with names of other fields had no effect on them.
 *
 * Errors: {@link UnsupportedCode} if a member would replace another field, or would be
 * sent elsewhere or not at all.
 */
export function checkSpread(
  node: ts.Node,
  type: ts.Type,
  title: PartTitle,
  request: WireRequest,
  lookup: SymbolLookup,
): void {
  const all = namesIn(request);
  const own = new Set(all[title]);
  const others = new Set(Object.values(all).flat());
  own.forEach((name) => others.delete(name));
  const isBodySpread = title !== "body" && request.body.kind === "object";
  const members = membersOf(type, lookup);
  if (members === null) {
    if (title !== "query" && others.size === 0 && !isBodySpread) return;
    throw new UnsupportedCode(
      node,
      `it is not known which members the ${title} has`,
    );
  }
  for (const name of members) {
    if (own.has(name)) continue;
    if (title === "body" && name === "toJSON") {
      throw new UnsupportedCode(node, "the body has a method `toJSON`");
    }
    if (others.has(name)) {
      const message = `the ${title} has a member \`${name}\`, which is the name of another field of the call`;
      throw new UnsupportedCode(node, message);
    }
    if (title === "query" || isBodySpread) {
      const message = `the ${title} has no parameter \`${name}\` in the contract`;
      throw new UnsupportedCode(node, message);
    }
  }
}

function namesIn(
  request: WireRequest,
): Readonly<Record<PartTitle | "headers", readonly string[]>> {
  const at =
    (title: PartTitle | "headers") =>
    ({ field }: FieldSlot) => [[title, field.jsonName] as const];
  const slots = foldRequest(request, {
    path: at("path"),
    query: at("query"),
    fixed: skip,
    header: at("headers"),
    member: at("body"),
    part: at("body"),
    whole: at("body"),
  });
  const namesAt = (title: PartTitle | "headers"): readonly string[] =>
    slots.flatMap(([each, name]) => (each === title ? name : []));
  return {
    body: namesAt("body"),
    path: namesAt("path"),
    query: namesAt("query"),
    headers: namesAt("headers"),
  };
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
