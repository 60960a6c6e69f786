import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { Edits } from "../change/edits.js";
import type { CodeChange } from "../change/old-client.js";
import { type NamedProperty, removeProperty } from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";

/**
 * Renames `baseHeaders`. If some of them are functions, one function returns all.
 *
 * Errors: {@link UnsupportedCode} for functions that are not written there.
 */
export function changeHeaders(
  { node, value }: NamedProperty,
  { edits, file }: CodeChange,
): void {
  const { lookup } = file;
  const { compiler } = lookup;
  if (!compiler.isObjectLiteralExpression(value)) {
    if (membersAre(value, lookup)) throw hidden(value);
    edits.replace(node, `headers: ${edits.slice(value)}`);
    return;
  }
  if (value.properties.length === 0) {
    removeProperty(node, edits);
    return;
  }
  const functions = value.properties.flatMap((each) => {
    if (compiler.isPropertyAssignment(each)) {
      return isFunction(each.initializer, lookup) ? [each.initializer] : [];
    }
    const inner = compiler.isSpreadAssignment(each) ? each.expression : each;
    if (membersAre(inner, lookup) || isFunction(inner, lookup)) {
      throw hidden(each);
    }
    return [];
  });
  // Nothing is replaced if one of them has no equivalent.
  const printed = functions.map((each) => printCalled(each, edits, compiler));
  for (const [index, each] of functions.entries()) {
    edits.replace(each, printed[index] ?? "");
  }
  const own = edits.slice(value);
  const text = functions.length > 0 ? `() => (${own})` : own;
  edits.replace(node, `headers: ${text}`);
}

function hidden(node: ts.Node): UnsupportedCode {
  return new UnsupportedCode(node, "some of these headers are functions");
}

/** Prints the value that a function returns. */
function printCalled(
  value: ts.Expression,
  edits: Edits,
  compiler: Compiler,
): string {
  if (!compiler.isArrowFunction(value)) return `${edits.slice(value)}()`;
  if (value.parameters.length > 0) {
    throw new UnsupportedCode(value, "this header depends on the call");
  }
  return compiler.isBlock(value.body)
    ? `(${edits.slice(value)})()`
    : edits.slice(value.body);
}

/** Whether members of an object are functions. */
function membersAre(node: ts.Node, { checker }: SymbolLookup): boolean {
  const type = checker.getTypeAtLocation(node);
  const index = type.getStringIndexType();
  return [
    ...type.getProperties().map((each) => checker.getTypeOfSymbol(each)),
    ...(index === undefined ? [] : [index]),
  ].some((each) => isCallable(each));
}

function isFunction(node: ts.Node, { checker }: SymbolLookup): boolean {
  return isCallable(checker.getTypeAtLocation(node));
}

function isCallable(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(isCallable)
    : type.getCallSignatures().length > 0;
}
