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
export function documentOf(
  { checker, compiler }: SymbolLookup,
  type: ts.Type,
): string {
  const client = oldClientIn(type);
  if (client === null || !isReference(client, compiler)) return "";
  const [paths] = checker.getTypeArguments(client);
  const declaration = (paths?.aliasSymbol ?? paths?.getSymbol())?.declarations;
  return declaration?.[0]?.getSourceFile().fileName ?? "";
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
