import type { ts } from "ts-morph";
import { isIn, nameInPackage } from "../change/package-names.js";
import type { SymbolLookup } from "../change/uses.js";

/** The package whose clients are replaced. */
export const oldPackage = "@trpc/client";

/** The packages with hooks for TanStack Query. */
const hookPackages = [
  "@trpc/react-query",
  "@trpc/tanstack-react-query",
  "@trpc/next",
];

/** Returns the name that tRPC's client declares a symbol with, or null. */
export function oldNameOf(lookup: SymbolLookup, node: ts.Node): string | null {
  return nameInPackage(node, oldPackage, lookup);
}

/** Whether a call creates a client. */
export function isCreation(
  { expression }: ts.CallExpression,
  lookup: SymbolLookup,
): boolean {
  return clientNames.creators.has(oldNameOf(lookup, expression) ?? "");
}

/** The names of clients' types, and of the functions that create clients. */
export const clientNames = {
  types: new Set([
    "CreateTRPCClient",
    "CreateTRPCProxyClient",
    "TRPCClient",
    "inferRouterClient",
    "inferRouterProxyClient",
  ]),
  creators: new Set(["createTRPCClient", "createTRPCProxyClient"]),
};

/** Whether a member of a value belongs to tRPC's hooks. */
export function isHook(node: ts.Node, lookup: SymbolLookup): boolean {
  return hookPackages.some(
    (each) => nameInPackage(node, each, lookup) !== null,
  );
}

/** Whether a type is a client of tRPC, or a router in one. */
export function isClient(type: ts.Type): boolean {
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
export function callKindAt(
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
export function isProcedure(type: ts.Type, lookup: SymbolLookup): boolean {
  return type.getProperties().some((each) => isCallKind(each, lookup));
}

const documents = new WeakMap<ts.Type, string>();

/** Returns a key for the router of a client: the paths of its procedures. */
export function documentOf(lookup: SymbolLookup, type: ts.Type): string {
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

/** A procedure of a client. */
export interface ProcedureAccess {
  /** The client. */
  readonly root: ts.Expression;
  /** E.g. `post.list`. */
  readonly path: string;
}

/** Returns the whole client and the path that `client.post.list` names. */
export function procedureAt(
  node: ts.Expression,
  { checker, compiler }: SymbolLookup,
): ProcedureAccess {
  const names: string[] = [];
  let root = node;
  while (
    compiler.isPropertyAccessExpression(root) &&
    isClient(checker.getTypeAtLocation(root.expression))
  ) {
    names.unshift(root.name.text);
    root = root.expression;
  }
  return { root, path: names.join(".") };
}
