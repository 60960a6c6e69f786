import type { ts } from "ts-morph";
import { memberClient } from "../change/member-client.js";
import type { OperationAddress } from "../change/operations.js";
import { isIn } from "../change/package-client.js";
import { isInPath } from "../change/refuse-uses.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";

/** The package whose clients are replaced. */
export const oldPackage = "@ts-rest/core";

/** A route of a contract of ts-rest. */
export interface ContractRoute {
  readonly address: OperationAddress;
  /** Whether the statuses of the contract are the only ones. */
  readonly isStrict: boolean;
}

/** How the compiler finds clients of ts-rest. */
export const declared = memberClient({
  package: oldPackage,
  types: new Set(["InitClientReturn"]),
  creators: new Set(["initClient"]),
  isClient,
  documentOf,
  parts: "routes",
  member: "route",
  queryPackages: ["@ts-rest/react-query"],
  queryParts: "clients",
  isSending: () => false,
  addressAt,
  visit: () => undefined,
});

function addressAt(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OperationAddress | null {
  const { checker } = lookup;
  if (!isClient(checker.getTypeAtLocation(node.expression))) return null;
  // Members of parts are visited by themselves, and functions have none.
  if (isInPath(node, lookup)) return null;
  const route = routeAt(node, lookup);
  if (route === null && isClient(checker.getTypeAtLocation(node))) {
    throw new UnsupportedCode(node, "a part of the client is used as a value");
  }
  return route && route.address;
}

/** Whether a type is a client of ts-rest, or a part of one. */
function isClient(type: ts.Type): boolean {
  return routerOf(type) !== null;
}

/** Returns the type of the contract of a client, or null if it is no client. */
function routerOf(type: ts.Type): ts.Type | null {
  const { aliasSymbol, aliasTypeArguments } = type;
  if (
    aliasSymbol !== undefined &&
    /^(?:InitClientReturn|RecursiveProxyObj)$/u.test(aliasSymbol.name) &&
    aliasSymbol.declarations?.some((each) => isIn(each, oldPackage)) === true
  ) {
    return aliasTypeArguments?.[0] ?? null;
  }
  if (!type.isUnionOrIntersection()) return null;
  return type.types.map(routerOf).find((each) => each !== null) ?? null;
}

/**
 * Returns the route of a member of a client, or null if it is none.
 *
 * Errors: {@link UnsupportedCode} if the type of the contract has no verb or path.
 */
export function routeAt(
  { expression, name }: ts.PropertyAccessExpression,
  { checker, compiler }: SymbolLookup,
): ContractRoute | null {
  const router = routerOf(checker.getTypeAtLocation(expression));
  const member = router?.getProperty(name.text);
  if (member === undefined) return null;
  const route = checker.getTypeOfSymbol(member);
  const typeOf = (key: string): ts.Type | null => {
    const property = route.getProperty(key);
    return property ? checker.getTypeOfSymbol(property) : null;
  };
  const verb = typeOf("method");
  const path = typeOf("path");
  if (verb === null || path === null) return null;
  if (!verb.isStringLiteral() || !path.isStringLiteral()) {
    throw new UnsupportedCode(name, "the type of the contract has no address");
  }
  const strict = typeOf("strictStatusCodes");
  const isStrict =
    strict !== null &&
    checker.typeToString(strict) === "true" &&
    (strict.flags & compiler.TypeFlags.BooleanLiteral) !== 0;
  return { address: readAddress(verb.value, path.value, name), isStrict };
}

/** Errors: {@link UnsupportedCode} for parameters that can be missing. */
function readAddress(verb: string, path: string, place: ts.Node) {
  if (path.includes("?")) {
    throw new UnsupportedCode(
      place,
      "optional parameters of paths are not migrated",
    );
  }
  return { verb, path: path.replaceAll(/:([^/]+)/gu, "{$1}") };
}

/** Returns a key for the document of a client: the place of its contract. */
function documentOf(_: SymbolLookup, type: ts.Type): string {
  let router = routerOf(type);
  // `router(…)` returns the type that applies its options to the routes.
  while (router?.aliasTypeArguments?.[0] && isApplied(router)) {
    router = router.aliasTypeArguments[0];
  }
  const declaration = router?.getSymbol()?.declarations?.[0];
  return declaration === undefined
    ? ""
    : `${declaration.getSourceFile().fileName}:${declaration.pos}`;
}

function isApplied({ aliasSymbol }: ts.Type): boolean {
  return (
    aliasSymbol?.declarations?.some((each) => isIn(each, oldPackage)) === true
  );
}
