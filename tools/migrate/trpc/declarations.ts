import type { ts } from "ts-morph";
import { memberClient } from "../change/member-client.js";
import type { OperationAddress } from "../change/operations.js";
import { isIn, nameInPackage } from "../change/package-client.js";
import { isInPath, requireCall } from "../change/refuse-uses.js";
import { OtherClient, UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";

/** The package whose clients are replaced. */
export const oldPackage = "@trpc/client";

/** Returns the name that tRPC's client declares a symbol with, or null. */
export function oldNameOf(lookup: SymbolLookup, node: ts.Node): string | null {
  return nameInPackage(node, oldPackage, lookup);
}

/** How the compiler finds clients of tRPC. */
export const declared = memberClient({
  package: oldPackage,
  types: new Set([
    "CreateTRPCClient",
    "CreateTRPCProxyClient",
    "TRPCClient",
    "inferRouterClient",
    "inferRouterProxyClient",
  ]),
  creators: new Set(["createTRPCClient", "createTRPCProxyClient"]),
  isClient,
  documentOf,
  parts: "routers",
  member: "procedure",
  queryPackages: [
    "@trpc/react-query",
    "@trpc/tanstack-react-query",
    "@trpc/next",
  ],
  queryParts: "functions",
  isSending: (node, lookup) => callKindAt(node, lookup) !== null,
  addressAt,
  visit: (node, _, lookup) => {
    const { compiler } = lookup;
    if (compiler.isTypeQueryNode(node)) refuseType(node, lookup);
    else if (compiler.isJsxAttribute(node)) refuseAttribute(node, lookup);
    else if (compiler.isIdentifier(node)) refuseErrors(node, lookup);
  },
});

/** Whether a type is a client of tRPC, or a router in one. */
function isClient(type: ts.Type): boolean {
  return clientIn(type) !== null;
}

/** Clients and routers are mapped types of the package. */
function clientIn(type: ts.Type): ts.Type | null {
  const isRouter = (each: ts.Type): boolean =>
    // Types of the compiler can lack a symbol, which its declarations hide.
    (each.symbol as ts.Symbol | undefined)?.declarations?.some(
      (declaration) =>
        "typeParameter" in declaration && isIn(declaration, oldPackage),
    ) === true;
  if (!type.isUnionOrIntersection()) return isRouter(type) ? type : null;
  return type.types.map(clientIn).find((each) => each !== null) ?? null;
}

/**
 * Returns the kind of call that a member of a procedure is, e.g. `query`, or
 * null if it is no call.
 */
function callKindAt(
  { name }: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): string | null {
  const symbol = lookup.checker.getSymbolAtLocation(name);
  return isCallKind(symbol, lookup) ? name.text : null;
}

function isCallKind(
  symbol: ts.Symbol | undefined,
  { compiler }: SymbolLookup,
): boolean {
  // Clients without types have methods with the same names.
  return (
    symbol?.declarations?.some(
      (each) =>
        isIn(each, oldPackage) && compiler.isTypeLiteralNode(each.parent),
    ) === true && /^(?:query|mutate|subscribe)$/u.test(symbol.name)
  );
}

/** Whether a type is a procedure of a client. */
function isProcedure(type: ts.Type, lookup: SymbolLookup): boolean {
  return type.getProperties().some((each) => isCallKind(each, lookup));
}

const documents = new WeakMap<ts.Type, string>();

/** Returns a key for the router of a client: the paths of its procedures. */
function documentOf(lookup: SymbolLookup, type: ts.Type): string {
  const client = clientIn(type);
  if (client === null) return "";
  const known = documents.get(client);
  if (known !== undefined) return known;
  const found = pathsIn(client, "", lookup).join("\n");
  documents.set(client, found);
  return found;
}

/** Returns the paths of the procedures in a document. */
export function pathsOf(document: string): readonly string[] {
  return document.split("\n");
}

function pathsIn(
  router: ts.Type,
  prefix: string,
  lookup: SymbolLookup,
): readonly string[] {
  const { checker } = lookup;
  return router.getProperties().flatMap((member) => {
    const path = prefix + member.name;
    const type = checker.getTypeOfSymbol(member);
    const inner = clientIn(type);
    if (inner !== null) return pathsIn(inner, `${path}.`, lookup);
    return isProcedure(type, lookup) ? [path] : [];
  });
}

/** Returns the path that `client.post.list` names, e.g. `post.list`. */
function addressAt(
  node: ts.PropertyAccessExpression,
  lookup: SymbolLookup,
): OperationAddress | null {
  const { checker, compiler } = lookup;
  const verb = callKindAt(node, lookup);
  if (verb === null) {
    refuseValue(node, lookup);
    return null;
  }
  const names: string[] = [];
  let root = node.expression;
  while (
    compiler.isPropertyAccessExpression(root) &&
    isClient(checker.getTypeAtLocation(root.expression))
  ) {
    names.unshift(root.name.text);
    root = root.expression;
  }
  // It is reported by itself.
  if (compiler.isElementAccessExpression(root)) return null;
  if (names.length === 0 || !isClient(checker.getTypeAtLocation(root))) {
    throw new UnsupportedCode(
      requireCall(node, lookup),
      "the procedure is not called by its whole path",
    );
  }
  return { verb, path: names.join(".") };
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
    throw new UnsupportedCode(node, "a part of the client is used as a value");
  }
}

/** Throws for types such as `typeof client.post.list.query`. */
function refuseType(
  { exprName }: ts.TypeQueryNode,
  { checker, compiler }: SymbolLookup,
): void {
  let name: ts.EntityName = exprName;
  while (compiler.isQualifiedName(name)) name = name.left;
  if (name !== exprName && isClient(checker.getTypeAtLocation(name))) {
    throw new UnsupportedCode(name, "a type names a part of the client");
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
    throw new UnsupportedCode(expression, "a component uses the client");
  }
}

/** Throws for names of tRPC's error, which migrated calls do not throw. */
function refuseErrors(node: ts.Identifier, lookup: SymbolLookup): void {
  if (!/^(?:is)?TRPCClientError/u.test(node.text)) return;
  if (oldNameOf(lookup, node) === null) return;
  throw new OtherClient(
    node,
    "migrated calls throw other errors",
    "test `error instanceof RpcError`, whose `status` is that of the response",
  );
}
