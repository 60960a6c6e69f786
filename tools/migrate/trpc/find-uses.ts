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
  callKindAt,
  clientNames,
  documentOf,
  isClient,
  isCreation,
  isHook,
  isProcedure,
  oldNameOf,
  oldPackage,
  procedureAt,
} from "./declarations.js";

/** Thrown for what belongs to no client, or to one that stays. */
class OtherUse extends Unclear {}

/** Finds what a file has of tRPC's clients, in the order of the file. */
export function findUses(source: ts.SourceFile, lookup: SymbolLookup): Uses {
  const found = collectUses(source, lookup, {
    isClient,
    visit: (node, uses) => visitNode(node, uses, lookup),
    describe: (reason) => ({
      ...(reason instanceof OtherUse
        ? { creation: null, document: "other" }
        : keyOf(reason.node, lookup)),
      isBlocking: false,
    }),
  });
  return { ...found, importsOld: importOf(source, oldPackage, lookup) };
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
        "the name of the procedure is not written after a dot",
      );
    }
  } else if (compiler.isCallExpression(node)) {
    if (isCreation(node, lookup)) creations.push(node);
    else visitCall(node, lookup);
  } else if (compiler.isTypeReferenceNode(node)) {
    if (isClientType(node, clientNames, oldNameOf, lookup)) types.push(node);
  } else if (compiler.isTypeQueryNode(node)) {
    refuseType(node, lookup);
  } else if (compiler.isObjectBindingPattern(node)) {
    refuseParts(node, "routers", isClient, lookup);
  } else if (compiler.isJsxAttribute(node)) {
    refuseAttribute(node, lookup);
  } else if (compiler.isIdentifier(node)) {
    refuseErrors(node, lookup);
  }
}

/** Reads `client.post.list.query(…)`. Returns null if a member is no call. */
function visitMember(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OldCall | null {
  const { checker, compiler } = lookup;
  const { expression } = node;
  const kind = callKindAt(node, lookup);
  if (kind === null) {
    refuseValue(node, lookup);
    return null;
  }
  const call = requireCall(node, lookup);
  if (hasQuestion(call, lookup)) {
    throw new Unclear(call, "the client is optional");
  }
  refuseSpread(call, lookup);
  const { path, root } = procedureAt(expression, lookup);
  // It is reported by itself.
  if (compiler.isElementAccessExpression(root)) return null;
  if (root === expression || !isClient(checker.getTypeAtLocation(root))) {
    throw new Unclear(call, "the procedure is not called by its whole path");
  }
  return {
    node: call,
    client: root,
    address: { verb: kind, path },
    init: call.arguments[0],
    ...keyOfClient(root, lookup),
  };
}

/** Throws if a router or a procedure is used as a value. */
function refuseValue(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): void {
  const { checker } = lookup;
  if (!isClient(checker.getTypeAtLocation(node.expression))) return;
  const type = checker.getTypeAtLocation(node);
  // A client can also have the methods of the new one.
  const isNew =
    type.getCallSignatures().length > 0 ||
    (!isClient(type) && !isProcedure(type, lookup));
  // Members of routers are visited by themselves.
  if (!isInPath(node, lookup) && !isNew) {
    throw new Unclear(node, "a part of the client is used as a value");
  }
}

function hasQuestion(
  call: ts.CallExpression,
  { compiler }: SymbolLookup,
): boolean {
  let node: ts.Expression = call;
  while (
    compiler.isCallExpression(node) ||
    compiler.isPropertyAccessExpression(node)
  ) {
    if (node.questionDotToken !== undefined) return true;
    node = node.expression;
  }
  return false;
}

function visitCall(node: ts.CallExpression, lookup: SymbolLookup): void {
  const { compiler } = lookup;
  const { expression } = node;
  const name = compiler.isPropertyAccessExpression(expression)
    ? expression.name
    : expression;
  if (isHook(name, lookup)) {
    throw new OtherUse(node, "functions for TanStack Query are not migrated");
  }
  refusePackages(node, isClient, lookup);
}

/** Throws for types such as `typeof client.post.list.query`. */
function refuseType(
  { exprName }: ts.TypeQueryNode,
  { checker, compiler }: SymbolLookup,
): void {
  let name: ts.EntityName = exprName;
  while (compiler.isQualifiedName(name)) name = name.left;
  if (name !== exprName && isClient(checker.getTypeAtLocation(name))) {
    throw new Unclear(name, "a type names a part of the client");
  }
}

/** Throws if a component gets a client, because it may be one of a package. */
function refuseAttribute(
  { initializer }: ts.JsxAttribute,
  { checker, compiler }: SymbolLookup,
): void {
  if (!initializer || !compiler.isJsxExpression(initializer)) return;
  const { expression } = initializer;
  if (expression && isClient(checker.getTypeAtLocation(expression))) {
    throw new Unclear(expression, "a component uses the client");
  }
}

/** Throws for names of tRPC's error, which migrated calls do not throw. */
function refuseErrors(node: ts.Identifier, lookup: SymbolLookup): void {
  if (!/^(?:is)?TRPCClientError/u.test(node.text)) return;
  if (oldNameOf(lookup, node) === null) return;
  throw new OtherUse(
    node,
    "migrated calls throw other errors",
    "test `error instanceof RpcError`, whose `status` is that of the response",
  );
}

/** Returns the client that some code is about. */
function keyOf(node: ts.Node, lookup: SymbolLookup): ClientKey {
  const { compiler } = lookup;
  const inner = compiler.isCallExpression(node) ? node.expression : node;
  const root = compiler.isPropertyAccessExpression(inner)
    ? procedureAt(
        callKindAt(inner, lookup) === null ? inner : inner.expression,
        lookup,
      ).root
    : inner;
  return keyOfClient(root, lookup);
}

function keyOfClient(root: ts.Node, lookup: SymbolLookup): ClientKey {
  const creation = findCreation(
    root,
    (each) => isCreation(each, lookup),
    lookup,
  );
  const type = lookup.checker.getTypeAtLocation(creation ?? root);
  return { creation, document: documentOf(lookup, type) };
}
