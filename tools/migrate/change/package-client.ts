import type { ts } from "ts-morph";
import { collectUses, type FoundUses } from "./collect-uses.js";
import { findCreation, symbolOf } from "./find-creation.js";
import type { OldClient } from "./old-client.js";
import { refuseParts } from "./refuse-uses.js";
import { OtherClient, type UnsupportedCode } from "./unsupported-code.js";
import type { ClientKey, SymbolLookup, Uses } from "./uses.js";

/** What the compiler says about a client of a package. */
export interface PackageClient {
  readonly package: string;
  /** Names of clients' types. */
  readonly types: ReadonlySet<string>;
  /** Names of the functions that create clients. */
  readonly creators: ReadonlySet<string>;
  readonly isClient: (type: ts.Type) => boolean;
  /** See {@link OldClient.documentOf}. */
  readonly documentOf: OldClient["documentOf"];
  /** What a pattern takes out of a client, e.g. `routes`. */
  readonly parts: string;
  /** Whether a pattern takes something out of a client that is not migrated. */
  readonly takesParts?: (pattern: ts.ObjectBindingPattern) => boolean;
  /** Returns the client that some code is about. */
  readonly keyOf: (node: ts.Node, lookup: SymbolLookup) => ClientKey;
  /** Adds what else a node is. Errors: `UnsupportedCode` for what is not migrated. */
  readonly visit: (
    node: ts.Node,
    uses: FoundUses,
    lookup: SymbolLookup,
  ) => void;
}

/** Whether a package contains a declaration. */
export function isIn(declaration: ts.Declaration, name: string): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.includes(`/node_modules/${name}/`);
}

/** Returns the name that a package declares a symbol with, or null. */
export function nameInPackage(
  node: ts.Node,
  name: string,
  lookup: SymbolLookup,
): string | null {
  const { compiler } = lookup;
  const declaration = symbolOf(node, lookup)?.declarations?.find((each) =>
    isIn(each, name),
  );
  const own = declaration && compiler.getNameOfDeclaration(declaration);
  return own && compiler.isIdentifier(own) ? own.text : null;
}

/** Returns what all clients of packages have in common. */
export function packageClient(
  client: PackageClient,
): Pick<
  OldClient,
  | "documentOf"
  | "findUses"
  | "isGenerated"
  | "isMissing"
  | "missing"
  | "moveImport"
  | "replaceReference"
> {
  return {
    missing: {
      message: `\`${client.package}\` is not installed, so its calls cannot be found`,
      help: "install the packages of the project first",
    },
    isMissing: () => false,
    isGenerated: () => false,
    findUses: (source, lookup) => findUses(source, client, lookup),
    documentOf: client.documentOf,
    replaceReference: () => undefined,
    moveImport: () => null,
  };
}

/** Finds what a file has of a client, in the order of the file. */
function findUses(
  source: ts.SourceFile,
  client: PackageClient,
  lookup: SymbolLookup,
): Uses {
  const found = collectUses(source, lookup, {
    isClient: client.isClient,
    visit: (node, uses) => visitNode(node, uses, client, lookup),
    describe: (reason) => ({
      ...describe(reason, client, lookup),
      isBlocking: false,
    }),
  });
  return { ...found, importsOld: importOf(source, client.package, lookup) };
}

function describe(
  reason: UnsupportedCode,
  { keyOf }: PackageClient,
  lookup: SymbolLookup,
): ClientKey {
  return reason instanceof OtherClient
    ? { creation: null, document: "other" }
    : keyOf(reason.node, lookup);
}

/** Returns the specifier of a file's import of a package, or null. */
function importOf(
  source: ts.SourceFile,
  name: string,
  { compiler }: SymbolLookup,
): ts.Expression | null {
  const specifiers = source.statements
    .filter(compiler.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier);
  return (
    specifiers.find(
      (each) => compiler.isStringLiteral(each) && each.text === name,
    ) ?? null
  );
}

function visitNode(
  node: ts.Node,
  uses: FoundUses,
  client: PackageClient,
  lookup: SymbolLookup,
): void {
  const { compiler } = lookup;
  if (compiler.isTypeReferenceNode(node)) {
    if (isClientType(node, client, lookup)) uses.types.push(node);
  } else if (compiler.isObjectBindingPattern(node)) {
    if (client.takesParts?.(node) !== false) {
      refuseParts(node, client.parts, client.isClient, lookup);
    }
  } else if (compiler.isCallExpression(node)) {
    if (isCreation(node, client, lookup)) uses.creations.push(node);
  }
  client.visit(node, uses, lookup);
}

type Creators = Pick<PackageClient, "creators" | "package">;

/** Whether a call creates a client. */
function isCreation(
  { expression }: ts.CallExpression,
  { creators, package: name }: Creators,
  lookup: SymbolLookup,
): boolean {
  return creators.has(nameInPackage(expression, name, lookup) ?? "");
}

/**
 * Whether a type is that of a client, or what the function that creates one
 * returns.
 */
function isClientType(
  node: ts.TypeReferenceNode,
  { creators, package: name, types }: PackageClient,
  lookup: SymbolLookup,
): boolean {
  if (types.has(nameInPackage(node.typeName, name, lookup) ?? "")) return true;
  const [argument] = node.typeArguments ?? [];
  return (
    node.typeName.getText() === "ReturnType" &&
    argument !== undefined &&
    lookup.compiler.isTypeQueryNode(argument) &&
    creators.has(nameInPackage(argument.exprName, name, lookup) ?? "")
  );
}

/** Returns the call that creates the client of an expression, if it is known. */
export function creationOf(
  node: ts.Node,
  client: Creators,
  lookup: SymbolLookup,
): ts.CallExpression | null {
  return findCreation(node, (each) => isCreation(each, client, lookup), lookup);
}
