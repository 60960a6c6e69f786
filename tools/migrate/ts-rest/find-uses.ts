import type { ts } from "ts-morph";
import {
  collectUses,
  type FoundUses,
  importOf,
  isClientType,
} from "../change/collect-uses.js";
import { findCreation } from "../change/find-creation.js";
import {
  isInPath,
  refusePackages,
  refuseParts,
  refuseSpread,
  requireCall,
} from "../change/refuse-uses.js";
import { Unclear } from "../change/unclear.js";
import type { ClientKey, OldCall, SymbolLookup, Uses } from "../change/uses.js";
import {
  documentOf,
  isClient,
  isQueryName,
  oldNameOf,
  oldPackage,
  rootOf,
  routeAt,
} from "./declarations.js";

/** Thrown for clients of the package for TanStack Query, which are others. */
class QueryUse extends Unclear {}

/** Finds what a file has of ts-rest's clients, in the order of the file. */
export function findUses(source: ts.SourceFile, lookup: SymbolLookup): Uses {
  const found = collectUses(source, lookup, {
    isClient,
    visit: (node, uses) => visitNode(node, uses, lookup),
    describe: (reason) => ({
      ...(reason instanceof QueryUse
        ? { creation: null, document: "react-query" }
        : keyOf(reason.node, lookup)),
      isBlocking: false,
    }),
  });
  return { ...found, importsOld: importOf(source, oldPackage, lookup) };
}

/** The names of a client's type, and of the function that creates one. */
const clientNames = {
  types: new Set(["InitClientReturn"]),
  creators: new Set(["initClient"]),
};

function visitNode(
  node: ts.Node,
  { calls, creations, types }: FoundUses,
  lookup: SymbolLookup,
): void {
  const { checker, compiler } = lookup;
  if (compiler.isPropertyAccessExpression(node)) {
    const call = visitMember(node, lookup);
    if (call !== null) calls.push(call);
  } else if (compiler.isElementAccessExpression(node)) {
    if (isClient(checker.getTypeAtLocation(node.expression))) {
      throw new Unclear(
        node,
        "the name of the route is not written after a dot",
      );
    }
  } else if (compiler.isCallExpression(node)) {
    if (oldNameOf(lookup, node.expression) === "initClient") {
      creations.push(node);
    }
    visitCall(node, lookup);
  } else if (compiler.isTypeReferenceNode(node)) {
    if (isClientType(node, clientNames, oldNameOf, lookup)) types.push(node);
  } else if (compiler.isObjectBindingPattern(node)) {
    refuseParts(node, "routes", isClient, lookup);
  }
}

/** Reads `client.posts.getPost(…)`. Returns null if a member is no call. */
function visitMember(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OldCall | null {
  const { checker } = lookup;
  const { expression } = node;
  if (!isClient(checker.getTypeAtLocation(expression))) return null;
  // Members of parts are visited by themselves, and functions have none.
  if (isInPath(node, lookup)) return null;
  const route = routeAt(node, lookup);
  if (route === null) {
    if (!isClient(checker.getTypeAtLocation(node))) return null;
    throw new Unclear(node, "a part of the client is used as a value");
  }
  const call = requireCall(node, lookup);
  if (node.questionDotToken ?? call.questionDotToken) {
    throw new Unclear(call, "the client is optional");
  }
  refuseSpread(call, lookup);
  const client = rootOf(expression, lookup);
  return {
    node: call,
    client,
    address: route.address,
    init: call.arguments[0],
    ...keyOf(client, lookup),
  };
}

function visitCall(node: ts.CallExpression, lookup: SymbolLookup): void {
  const { compiler } = lookup;
  const { expression } = node;
  const name = compiler.isPropertyAccessExpression(expression)
    ? expression.name
    : expression;
  if (isQueryName(name, lookup)) {
    throw new QueryUse(node, "clients for TanStack Query are not migrated");
  }
  refusePackages(node, isClient, lookup);
}

/** Returns the client that some code is about. */
function keyOf(node: ts.Node, lookup: SymbolLookup): ClientKey {
  const { checker, compiler } = lookup;
  const inner =
    compiler.isCallExpression(node) &&
    compiler.isPropertyAccessExpression(node.expression)
      ? node.expression.expression
      : node;
  const root = isExpression(inner, lookup) ? rootOf(inner, lookup) : inner;
  const creation = findCreation(
    root,
    ({ expression }) => oldNameOf(lookup, expression) === "initClient",
    lookup,
  );
  const type = checker.getTypeAtLocation(creation ?? root);
  return { creation, document: documentOf(lookup, type) };
}

function isExpression(
  node: ts.Node,
  { compiler }: SymbolLookup,
): node is ts.PropertyAccessExpression {
  return compiler.isPropertyAccessExpression(node);
}
