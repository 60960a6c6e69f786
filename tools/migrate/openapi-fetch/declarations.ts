import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { SymbolLookup } from "../change/uses.js";

/** The package whose clients are replaced. */
export const oldPackage = "openapi-fetch";

/** Methods of its client that send a request. */
export const verbs: ReadonlySet<string> = new Set([
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
]);

/**
 * Returns the name that openapi-fetch declares a symbol with, or null if another
 * package declares it.
 */
export function oldNameOf(
  { checker, compiler }: SymbolLookup,
  node: ts.Node,
): string | null {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return null;
  const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.declarations?.find(isOld);
  if (declaration === undefined) return null;
  const name = compiler.getNameOfDeclaration(declaration);
  return name !== undefined && compiler.isIdentifier(name) ? name.text : null;
}

/**
 * Returns the name of a member of openapi-fetch's client, e.g. `GET`, or null if
 * the node is not the name of one.
 */
export function clientMemberAt(
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
export function oldClientIn(type: ts.Type): ts.Type | null {
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
export function documentOf(lookup: SymbolLookup, type: ts.Type): string {
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
  const { fileName } = declaration.getSourceFile();
  return fileName.includes(`/node_modules/${oldPackage}/`);
}
