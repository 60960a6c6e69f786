import type { ts } from "ts-morph";
import { findCreation } from "../change/find-creation.js";
import { refusePackages, refuseParts } from "../change/refuse-uses.js";
import { Unclear } from "../change/unclear.js";
import type {
  ClientKey,
  OldCall,
  OtherUse,
  SymbolLookup,
  Uses,
} from "../change/uses.js";
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
  const { compiler } = lookup;
  const uses = {
    calls: [] as OldCall[],
    others: [] as OtherUse[],
    creations: [] as ts.CallExpression[],
    references: [],
    types: [] as ts.TypeNode[],
    hasMiddleware: false,
    importsOld:
      source.statements
        .filter(compiler.isImportDeclaration)
        .map(({ moduleSpecifier }) => moduleSpecifier)
        .find(
          (each) => compiler.isStringLiteral(each) && each.text === oldPackage,
        ) ?? null,
  };
  const visit = (node: ts.Node): void => {
    compiler.forEachChild(node, visit);
    try {
      visitNode(node, uses, lookup);
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      const key =
        error instanceof QueryUse
          ? { creation: null, document: "react-query" }
          : keyOf(error.node, lookup);
      uses.others.push({ ...key, reason: error, isBlocking: false });
    }
  };
  visit(source);
  // Inner calls come first, because outer calls contain their new text.
  uses.calls.sort(({ node: left }, { node: right }) => left.end - right.end);
  return uses;
}

/** The lists that uses are added to. */
interface FoundUses {
  readonly calls: OldCall[];
  readonly creations: ts.CallExpression[];
  readonly types: ts.TypeNode[];
}

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
    if (isClientType(node, lookup)) types.push(node);
  } else if (compiler.isObjectBindingPattern(node)) {
    refuseParts(node, "routes", isClient, lookup);
  }
}

/** Reads `client.posts.getPost(…)`. Returns null if a member is no call. */
function visitMember(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OldCall | null {
  const { checker, compiler } = lookup;
  const { expression, parent } = node;
  if (!isClient(checker.getTypeAtLocation(expression))) return null;
  // Members of parts are visited by themselves, and functions have none.
  const isInner =
    (compiler.isPropertyAccessExpression(parent) ||
      compiler.isElementAccessExpression(parent)) &&
    parent.expression === node;
  if (isInner) return null;
  const route = routeAt(node, lookup);
  if (route === null) {
    if (!isClient(checker.getTypeAtLocation(node))) return null;
    throw new Unclear(node, "a part of the client is used as a value");
  }
  if (!compiler.isCallExpression(parent) || parent.expression !== node) {
    throw new Unclear(node, `\`${node.name.text}\` is used without calling it`);
  }
  if (node.questionDotToken ?? parent.questionDotToken) {
    throw new Unclear(parent, "the client is optional");
  }
  if (parent.arguments.some(compiler.isSpreadElement)) {
    throw new Unclear(parent, "the arguments are spread");
  }
  const client = rootOf(expression, lookup);
  return {
    node: parent,
    client,
    address: route.address,
    init: parent.arguments[0],
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

/** Whether a type is the type of a client, or what `initClient` returns. */
function isClientType(
  node: ts.TypeReferenceNode,
  lookup: SymbolLookup,
): boolean {
  const { compiler } = lookup;
  if (oldNameOf(lookup, node.typeName) === "InitClientReturn") return true;
  const [argument] = node.typeArguments ?? [];
  return (
    node.typeName.getText() === "ReturnType" &&
    argument !== undefined &&
    compiler.isTypeQueryNode(argument) &&
    oldNameOf(lookup, argument.exprName) === "initClient"
  );
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
