import type { ts } from "ts-morph";
import type { BaseContext } from "../change/base-url.js";
import {
  type NamedProperty,
  removeProperty,
  type Replace,
} from "../change/properties.js";
import { Unclear } from "../change/unclear.js";

/** What the headers of a client depend on. */
interface HeadersContext extends BaseContext {
  readonly replace: Replace;
}

/**
 * Renames `baseHeaders`. If some of them are functions, one function returns all.
 *
 * Errors: {@link Unclear} for functions that are not written there.
 */
export function changeHeaders(
  { node, value }: NamedProperty,
  context: HeadersContext,
): void {
  const { compiler, replace, slice } = context;
  if (!compiler.isObjectLiteralExpression(value)) {
    if (membersAre(value, context)) throw hidden(value);
    replace(node.getStart(), node.end, `headers: ${slice(value)}`);
    return;
  }
  if (value.properties.length === 0) {
    removeProperty(node, replace);
    return;
  }
  const functions = value.properties.flatMap((each) => {
    if (compiler.isPropertyAssignment(each)) {
      return isFunction(each.initializer, context) ? [each.initializer] : [];
    }
    const inner = compiler.isSpreadAssignment(each) ? each.expression : each;
    if (membersAre(inner, context) || isFunction(inner, context)) {
      throw hidden(each);
    }
    return [];
  });
  // Nothing is replaced if one of them has no equivalent.
  const printed = functions.map((each) => printCalled(each, context));
  for (const [index, each] of functions.entries()) {
    replace(each.getStart(), each.end, printed[index] ?? "");
  }
  const text = functions.length > 0 ? `() => (${slice(value)})` : slice(value);
  replace(node.getStart(), node.end, `headers: ${text}`);
}

function hidden(node: ts.Node): Unclear {
  return new Unclear(node, "some of these headers are functions");
}

/** Prints the value that a function returns. */
function printCalled(
  value: ts.Expression,
  { compiler, slice }: HeadersContext,
): string {
  if (!compiler.isArrowFunction(value)) return `${slice(value)}()`;
  if (value.parameters.length > 0) {
    throw new Unclear(value, "this header depends on the call");
  }
  return compiler.isBlock(value.body)
    ? `(${slice(value)})()`
    : slice(value.body);
}

/** Whether members of an object are functions. */
function membersAre(node: ts.Node, { checker }: HeadersContext): boolean {
  const type = checker.getTypeAtLocation(node);
  const index = type.getStringIndexType();
  return [
    ...type.getProperties().map((each) => checker.getTypeOfSymbol(each)),
    ...(index === undefined ? [] : [index]),
  ].some((each) => isCallable(each));
}

function isFunction(node: ts.Node, { checker }: HeadersContext): boolean {
  return isCallable(checker.getTypeAtLocation(node));
}

function isCallable(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(isCallable)
    : type.getCallSignatures().length > 0;
}
