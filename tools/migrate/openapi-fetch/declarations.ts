import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { FoundUses } from "../change/collect-uses.js";
import {
  creationOf,
  isIn,
  nameInPackage,
  type PackageClient,
} from "../change/package-client.js";
import { refusePackages, refuseSpread } from "../change/refuse-uses.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";

/** The package whose clients are replaced. */
export const oldPackage = "openapi-fetch";

/** Methods of its client that send a request. */
const verbs: ReadonlySet<string> = new Set([
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
]);

/** How the compiler finds clients of openapi-fetch. */
export const declared: PackageClient = {
  package: oldPackage,
  types: new Set(["Client"]),
  creators: new Set(["createClient"]),
  isClient: (type) => oldClientIn(type) !== null,
  documentOf,
  parts: "methods",
  takesParts: ({ elements }) =>
    elements.some((each) =>
      verbs.has((each.propertyName ?? each.name).getText()),
    ),
  keyOf: (node, lookup) => {
    const creation = creationOf(node, declared, lookup);
    const type = creation && lookup.checker.getTypeAtLocation(creation);
    return { creation, document: type ? documentOf(lookup, type) : "" };
  },
  visit: (node, uses, lookup) => {
    const { compiler } = lookup;
    if (compiler.isIdentifier(node)) visitName(node, uses, lookup);
    else if (compiler.isCallExpression(node)) visitCall(node, lookup);
  },
};

/** Adds a call if a name is a verb, or remembers that it adds middleware. */
function visitName(
  node: ts.Identifier,
  uses: FoundUses,
  lookup: SymbolLookup,
): void {
  const { compiler } = lookup;
  const { parent } = node;
  const isMember =
    compiler.isPropertyAccessExpression(parent) && parent.name === node;
  if (!isMember || clientMemberAt(lookup, node) === null) return;
  const call = parent.parent;
  const isCalled =
    compiler.isCallExpression(call) && call.expression === parent;
  const isMiddleware = node.text === "use" || node.text === "eject";
  if (!isCalled) {
    const fault = isMiddleware ? "is not called" : "is used without calling it";
    throw new UnsupportedCode(parent, `\`${node.text}\` ${fault}`);
  }
  if (isMiddleware) uses.hasMiddleware = true;
  else uses.calls.push(readCall(call, parent, lookup));
}

function readCall(
  call: ts.CallExpression,
  callee: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OldCall {
  const [first, second, third] = call.arguments;
  if (callee.questionDotToken !== undefined || call.questionDotToken) {
    throw new UnsupportedCode(call, "the client is optional");
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
    creation: creationOf(callee.expression, declared, lookup),
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
  throw new UnsupportedCode(node ?? call, "the address is not a constant");
}

function visitCall(node: ts.CallExpression, lookup: SymbolLookup): void {
  const name = nameInPackage(node.expression, oldPackage, lookup);
  if (name === "createPathBasedClient" || name === "wrapAsPathBasedClient") {
    throw new UnsupportedCode(node, "clients by path are not migrated");
  }
  refusePackages(node, declared.isClient, lookup);
}

/**
 * Returns the name of a member of openapi-fetch's client, e.g. `GET`, or null if
 * the node is not the name of one.
 */
function clientMemberAt(
  { checker, compiler }: SymbolLookup,
  node: ts.Identifier,
): string | null {
  const symbol = checker.getSymbolAtLocation(node);
  const isMember = symbol?.declarations?.some(
    (each) =>
      isOld(each) &&
      compiler.isInterfaceDeclaration(each.parent) &&
      each.parent.name.text === "Client",
  );
  return isMember === true ? node.text : null;
}

/** Returns the client of openapi-fetch that a type is or contains, or null. */
function oldClientIn(type: ts.Type): ts.Type | null {
  if (type.isUnionOrIntersection()) {
    return type.types.map(oldClientIn).find((each) => each !== null) ?? null;
  }
  const symbol = type.getSymbol();
  const isClient =
    symbol?.name === "Client" && symbol.declarations?.some(isOld) === true;
  return isClient ? type : null;
}

/**
 * Returns a key for the document that a client was made for: the file of its
 * `paths`. Clients of other documents have other keys.
 */
function documentOf(lookup: SymbolLookup, type: ts.Type): string {
  const declaration = pathsIn(type, lookup)?.declarations?.[0];
  return declaration?.getSourceFile().fileName ?? "";
}

/** Returns the name of a client's `paths` at its creation, or null. */
export function pathsOf(
  creation: ts.CallExpression,
  lookup: SymbolLookup,
): string | null {
  const { checker, compiler } = lookup;
  const paths = pathsIn(checker.getTypeAtLocation(creation), lookup);
  const { Alias, Type } = compiler.SymbolFlags;
  const named = checker
    .getSymbolsInScope(creation, Type | Alias)
    .find((each) =>
      (each.flags & Alias) === 0
        ? each === paths
        : checker.getAliasedSymbol(each) === paths,
    );
  return named?.name ?? null;
}

/** Returns the type that lists the paths of a client, or null. */
function pathsIn(
  type: ts.Type,
  { checker, compiler }: SymbolLookup,
): ts.Symbol | null {
  const client = oldClientIn(type);
  if (client === null || !isReference(client, compiler)) return null;
  const [paths] = checker.getTypeArguments(client);
  return paths?.aliasSymbol ?? paths?.getSymbol() ?? null;
}

function isReference(
  type: ts.Type,
  { ObjectFlags }: Compiler,
): type is ts.TypeReference {
  return (
    "objectFlags" in type &&
    (Number(type.objectFlags) & ObjectFlags.Reference) !== 0
  );
}

function isOld(declaration: ts.Declaration): boolean {
  return isIn(declaration, oldPackage);
}
