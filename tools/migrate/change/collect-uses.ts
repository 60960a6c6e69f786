import type { ts } from "ts-morph";
import { refusePackages } from "./refuse-uses.js";
import { UnsupportedCode } from "./unsupported-code.js";
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
  /** Adds what a node is. Errors: {@link UnsupportedCode} for what is not migrated. */
  readonly visit: (node: ts.Node, uses: FoundUses) => void;
  /** Returns which client it is that something unclear is about. */
  readonly describe: (
    reason: UnsupportedCode,
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
      if (!(error instanceof UnsupportedCode)) throw error;
      uses.others.push({ ...describe(error), reason: error });
    }
  };
  visitAll(source);
  // Inner calls come first, because outer calls contain their new text.
  uses.calls.sort(({ node: left }, { node: right }) => left.end - right.end);
  return uses;
}
