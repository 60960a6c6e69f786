import type { ts } from "ts-morph";
import { refusePackages } from "./refuse-uses.js";
import { Unclear } from "./unclear.js";
import type { ClientKey, OldCall, OtherUse, SymbolLookup } from "./uses.js";

/** The uses of a client that a visitor has found so far. */
export interface FoundUses {
  readonly calls: OldCall[];
  readonly others: OtherUse[];
  readonly creations: ts.CallExpression[];
  readonly references: ts.Identifier[];
  readonly types: ts.TypeNode[];
  hasMiddleware: boolean;
}

/** How to find the uses of a client. */
export interface UseVisitor {
  /** Whether a type is that of a client. */
  readonly isClient: (type: ts.Type) => boolean;
  /** Adds what a node is. Errors: {@link Unclear} for what is not migrated. */
  readonly visit: (node: ts.Node, uses: FoundUses) => void;
  /** Returns which client it is that something unclear is about. */
  readonly describe: (
    reason: Unclear,
  ) => ClientKey & Pick<OtherUse, "isBlocking">;
}

/** Visits all of a file but its imports. Returns the uses in its order. */
export function collectUses(
  source: ts.SourceFile,
  lookup: SymbolLookup,
  { describe, isClient, visit }: UseVisitor,
): FoundUses {
  const { compiler } = lookup;
  const uses: FoundUses = {
    calls: [],
    others: [],
    creations: [],
    references: [],
    types: [],
    hasMiddleware: false,
  };
  const visitAll = (node: ts.Node): void => {
    if (compiler.isImportDeclaration(node)) return;
    compiler.forEachChild(node, visitAll);
    try {
      if (compiler.isNewExpression(node)) {
        refusePackages(node, isClient, lookup);
      } else visit(node, uses);
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      uses.others.push({ ...describe(error), reason: error });
    }
  };
  visitAll(source);
  // Inner calls come first, because outer calls contain their new text.
  uses.calls.sort(({ node: left }, { node: right }) => left.end - right.end);
  return uses;
}

/** Returns the specifier of a file's import of a package, or null. */
export function importOf(
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

/** Names that a package exports. */
export interface ClientNames {
  /** Types of clients. */
  readonly types: ReadonlySet<string>;
  /** Functions that create clients. */
  readonly creators: ReadonlySet<string>;
}

/**
 * Whether a type is that of a client, or what the function that creates one
 * returns.
 *
 * Input: `nameOf` returns the name of an export of the old client, and `names`
 * are those of the types and the functions.
 */
export function isClientType(
  node: ts.TypeReferenceNode,
  names: ClientNames,
  nameOf: (lookup: SymbolLookup, node: ts.Node) => string | null,
  lookup: SymbolLookup,
): boolean {
  const name = nameOf(lookup, node.typeName);
  if (name !== null && names.types.has(name)) return true;
  const [argument] = node.typeArguments ?? [];
  if (
    node.typeName.getText() !== "ReturnType" ||
    argument === undefined ||
    !lookup.compiler.isTypeQueryNode(argument)
  ) {
    return false;
  }
  const creator = nameOf(lookup, argument.exprName);
  return creator !== null && names.creators.has(creator);
}
