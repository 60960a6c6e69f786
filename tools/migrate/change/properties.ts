import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { Edits } from "./edits.js";
import { UnsupportedCode } from "./unsupported-code.js";

/** A property of new code, and the old code that it contains. */
export interface Property {
  /** Returns the property with the old code, which may have changed itself. */
  readonly print: (slice: Slice) => string;
  /** The old code that `print` uses. */
  readonly kept: ts.Node;
  /** Whether all members of a value become properties. */
  readonly isSpread?: boolean;
}

/** Returns the new text of old code. */
export type Slice = (node: ts.Node) => string;

/** A property of an object literal, by its name. */
export interface NamedProperty {
  readonly name: string;
  readonly value: ts.Expression;
  readonly node: ts.ObjectLiteralElementLike;
}

/** Reads an object literal. Errors: {@link UnsupportedCode} if it has other members. */
export function propertiesOf(
  value: ts.Expression | undefined,
  compiler: Compiler,
): readonly NamedProperty[] {
  if (value === undefined || isUndefined(value, compiler)) return [];
  if (!compiler.isObjectLiteralExpression(value)) {
    throw new UnsupportedCode(
      value,
      `\`${shorten(value)}\` is not an object literal`,
    );
  }
  return value.properties.map((node) => readProperty(node, compiler));
}

/** Errors: {@link UnsupportedCode} for spreads, methods and computed names. */
export function readProperty(
  node: ts.ObjectLiteralElementLike,
  compiler: Compiler,
): NamedProperty {
  if (compiler.isShorthandPropertyAssignment(node)) {
    return { name: node.name.text, value: node.name, node };
  }
  if (
    compiler.isPropertyAssignment(node) &&
    (compiler.isIdentifier(node.name) ||
      compiler.isStringLiteralLike(node.name))
  ) {
    return { name: node.name.text, value: node.initializer, node };
  }
  throw new UnsupportedCode(
    node,
    `\`${shorten(node)}\` is not a plain property`,
  );
}

/** Prints a property, in the short form if the value has its name. */
export function property(
  name: string,
  value: ts.Expression,
  compiler: Compiler,
): Property {
  const isShort = compiler.isIdentifier(value) && value.text === name;
  const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
    ? name
    : JSON.stringify(name);
  return {
    print: (slice) => (isShort ? name : `${key}: ${slice(value)}`),
    kept: value,
  };
}

/** Prints a value whose properties are added. */
export function spread(value: ts.Expression, compiler: Compiler): Property {
  const isSimple =
    compiler.isLeftHandSideExpression(value) ||
    compiler.isParenthesizedExpression(value);
  return {
    print: (slice) =>
      isSimple ? `...${slice(value)}` : `...(${slice(value)})`,
    kept: value,
    isSpread: true,
  };
}

/** Whether an expression is the name `undefined`. */
export function isUndefined(value: ts.Expression, compiler: Compiler): boolean {
  return compiler.isIdentifier(value) && value.text === "undefined";
}

/** Returns the beginning of some code, for a message. */
export function shorten(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/gu, " ");
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}

/** Removes a property, and its line if it has one of its own. */
export function removeProperty(node: ts.Node, edits: Edits): void {
  const { text } = node.getSourceFile();
  const start = node.getStart();
  const [comma = ""] = /^\s*,[ \t]*/u.exec(text.slice(node.end)) ?? [];
  const end = node.end + comma.length;
  const [before = ""] = /\r?\n[ \t]*$/u.exec(text.slice(0, start)) ?? [];
  const isAlone = before !== "" && /^\r?\n/u.test(text.slice(end));
  edits.replaceRange(isAlone ? start - before.length : start, end, "");
}
