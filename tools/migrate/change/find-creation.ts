import type { ts } from "ts-morph";
import type { SymbolLookup } from "./uses.js";

/** Returns what a name stands for, in whichever file that is declared. */
export function symbolOf(
  node: ts.Node,
  { checker, compiler }: SymbolLookup,
): ts.Symbol | null {
  const { parent } = node;
  const symbol = compiler.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  if (symbol === undefined) return null;
  const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Whether a call creates a client. */
type IsCreation = (call: ts.CallExpression) => boolean;

/** Returns the call that creates the client of an expression, if it is known. */
export function findCreation(
  node: ts.Node,
  isCreation: IsCreation,
  lookup: SymbolLookup,
): ts.CallExpression | null {
  const { compiler } = lookup;
  if (compiler.isObjectBindingPattern(node)) {
    return "initializer" in node.parent && node.parent.initializer
      ? creationIn(node.parent.initializer, isCreation, lookup)
      : null;
  }
  const inner = compiler.isPropertyAccessExpression(node)
    ? node.expression
    : node;
  const named = compiler.isIdentifier(inner) ? inner : node;
  if (!compiler.isIdentifier(named)) return null;
  const declaration = symbolOf(named, lookup)?.valueDeclaration;
  return declaration &&
    compiler.isVariableDeclaration(declaration) &&
    declaration.initializer
    ? creationIn(declaration.initializer, isCreation, lookup)
    : null;
}

/** Returns the creation that an expression is, or contains with the new one. */
function creationIn(
  node: ts.Expression,
  isCreation: IsCreation,
  lookup: SymbolLookup,
): ts.CallExpression | null {
  const { compiler } = lookup;
  if (!compiler.isCallExpression(node)) return null;
  if (isCreation(node)) return node;
  return (
    node.arguments
      .map((each) => creationIn(each, isCreation, lookup))
      .find((each) => each !== null) ?? null
  );
}
