import type { ts } from "ts-morph";
import {
  collectUses,
  type FoundUses,
  importOf,
  isClientType,
} from "../change/collect-uses.js";
import { findCreation } from "../change/find-creation.js";
import {
  refusePackages,
  refuseParts,
  refuseSpread,
} from "../change/refuse-uses.js";
import type { OldCall, SymbolLookup, Uses } from "../change/uses.js";
import { Unclear } from "../change/unclear.js";
import {
  clientMemberAt,
  documentOf,
  oldClientIn,
  oldNameOf,
  oldPackage,
  verbs,
} from "./declarations.js";

/** Finds what a file has of openapi-fetch, in the order of the file. */
export function findUses(source: ts.SourceFile, lookup: SymbolLookup): Uses {
  const found = collectUses(source, lookup, {
    isClient,
    visit: (node, uses) => visitNode(node, uses, lookup),
    describe: ({ node }) => {
      const creation = creationOf(node, lookup);
      const type = creation && lookup.checker.getTypeAtLocation(creation);
      const document = type === null ? "" : documentOf(lookup, type);
      return { creation, document, isBlocking: false };
    },
  });
  return { ...found, importsOld: importOf(source, oldPackage, lookup) };
}

/** The names of a client's type, and of the function that creates one. */
const clientNames = {
  types: new Set(["Client"]),
  creators: new Set(["createClient"]),
};

function visitNode(node: ts.Node, uses: FoundUses, lookup: SymbolLookup): void {
  const { compiler } = lookup;
  if (compiler.isIdentifier(node)) {
    if (visitName(node, lookup, uses.calls)) uses.hasMiddleware = true;
  } else if (compiler.isCallExpression(node)) {
    visitCall(node, lookup, uses.creations);
  } else if (compiler.isTypeReferenceNode(node)) {
    if (isClientType(node, clientNames, oldNameOf, lookup)) {
      uses.types.push(node);
    }
  } else if (compiler.isObjectBindingPattern(node)) {
    if (hasMethods(node)) refuseParts(node, "methods", isClient, lookup);
  }
}

/** Returns whether a name adds middleware. Adds the call if it is a verb. */
function visitName(
  node: ts.Identifier,
  lookup: SymbolLookup,
  calls: OldCall[],
): boolean {
  const { compiler } = lookup;
  const { parent } = node;
  const isMember =
    compiler.isPropertyAccessExpression(parent) && parent.name === node;
  if (!isMember || clientMemberAt(lookup, node) === null) return false;
  const call = parent.parent;
  const isCalled =
    compiler.isCallExpression(call) && call.expression === parent;
  if (node.text === "use" || node.text === "eject") {
    if (isCalled) return true;
    throw new Unclear(parent, `\`${node.text}\` is not called`);
  }
  if (!isCalled) {
    throw new Unclear(parent, `\`${node.text}\` is used without calling it`);
  }
  calls.push(readCall(call, parent, lookup));
  return false;
}

function readCall(
  call: ts.CallExpression,
  callee: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OldCall {
  const [first, second, third] = call.arguments;
  if (callee.questionDotToken !== undefined || call.questionDotToken) {
    throw new Unclear(call, "the client is optional");
  }
  const isRequest = callee.name.text === "request";
  const verb = isRequest ? textOf(first, call, lookup) : callee.name.text;
  const path = textOf(isRequest ? second : first, call, lookup);
  const init = isRequest ? third : second;
  refuseSpread(call, lookup);
  return {
    node: call,
    client: callee.expression,
    address: { verb: verb.toUpperCase(), path },
    init,
    creation: creationOf(callee.expression, lookup),
    document: documentOf(
      lookup,
      lookup.checker.getTypeAtLocation(callee.expression),
    ),
  };
}

/** Returns the text that an argument always has. */
function textOf(
  node: ts.Expression | undefined,
  call: ts.Node,
  { checker }: SymbolLookup,
): string {
  const type = node && checker.getTypeAtLocation(node);
  if (type?.isStringLiteral() === true) return type.value;
  throw new Unclear(node ?? call, "the address is not a constant");
}

function visitCall(
  node: ts.CallExpression,
  lookup: SymbolLookup,
  creations: ts.CallExpression[],
): void {
  const name = oldNameOf(lookup, node.expression);
  if (name === "createClient") creations.push(node);
  if (name === "createPathBasedClient" || name === "wrapAsPathBasedClient") {
    throw new Unclear(node, "clients by path are not migrated");
  }
  refusePackages(node, isClient, lookup);
}

function isClient(type: ts.Type): boolean {
  return oldClientIn(type) !== null;
}

/** Whether a pattern takes methods of a client out of it. */
function hasMethods({ elements }: ts.ObjectBindingPattern): boolean {
  return elements.some((each) =>
    verbs.has((each.propertyName ?? each.name).getText()),
  );
}

/** Returns the call that creates the client of an expression, if it is known. */
function creationOf(
  node: ts.Node,
  lookup: SymbolLookup,
): ts.CallExpression | null {
  return findCreation(
    node,
    ({ expression }) => oldNameOf(lookup, expression) === "createClient",
    lookup,
  );
}
