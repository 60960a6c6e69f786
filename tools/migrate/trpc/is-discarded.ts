import type { ts } from "ts-morph";
import type { SymbolLookup } from "../change/uses.js";

/** Whether nothing reads the value that a promise is fulfilled with. */
export function isDiscarded(
  node: ts.Expression,
  lookup: SymbolLookup,
): boolean {
  const { checker, compiler } = lookup;
  const { parent } = node;
  if (
    compiler.isExpressionStatement(parent) ||
    compiler.isVoidExpression(parent)
  ) {
    return true;
  }
  if (
    compiler.isAwaitExpression(parent) ||
    compiler.isParenthesizedExpression(parent)
  ) {
    return isDiscarded(parent, lookup);
  }
  if (
    !compiler.isPropertyAccessExpression(parent) ||
    parent.expression !== node ||
    !compiler.isCallExpression(parent.parent)
  ) {
    return false;
  }
  const call = parent.parent;
  switch (parent.name.text) {
    case "catch":
    case "finally":
      return isDiscarded(call, lookup);
    case "then": {
      const [listener] = call.arguments;
      const signatures =
        listener && checker.getTypeAtLocation(listener).getCallSignatures();
      return (
        signatures !== undefined &&
        signatures.length > 0 &&
        signatures.every(({ parameters }) => parameters.length === 0)
      );
    }
    default:
      return false;
  }
}
