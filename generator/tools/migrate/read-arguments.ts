import type { ts } from "ts-morph";
import { suggestHelp } from "../../diagnostics/suggest.js";
import type { RequestBody } from "../../ir/contract.js";
import { parametersIn, pathParameters } from "../../ir/path-template.js";
import { queryFieldsOf } from "../../ir/query-fields.js";
import type { Compiler } from "../implement/compiler.js";
import type { ContractOperation } from "./operations.js";
import { Unclear } from "./unclear.js";

/** A property of new code, and the old code that it contains. */
export interface Property {
  /** Returns the property with the old code, which may have changed itself. */
  readonly print: (slice: Slice) => string;
  /** The old code that `print` uses. */
  readonly kept: ts.Node;
}

/** Returns the new text of old code. */
export type Slice = (node: ts.Node) => string;

/** The arguments of a call of a generated client. */
export interface Arguments {
  readonly request: readonly Property[];
  readonly options: readonly Property[];
}

/** The names that part of a request can have, and their fields. */
interface Part {
  readonly title: string;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Reads the options of a call of openapi-fetch as the fields of a request.
 *
 * Errors: {@link Unclear} for what has no equivalent.
 */
export function readArguments(
  init: ts.Expression | undefined,
  path: string,
  operation: ContractOperation,
  compiler: Compiler,
): Arguments {
  const request: Property[] = [];
  const options: Property[] = [];
  const headers: Property[] = [];
  for (const { name, node, value } of propertiesOf(init, compiler)) {
    switch (name) {
      case "params":
        readParams(value, path, operation, compiler, request, headers);
        break;
      case "body":
        request.push(...readBody(value, operation, compiler));
        break;
      case "headers":
      case "signal":
        options.push(property(name, value, compiler));
        break;
      case "parseAs":
        if (compiler.isStringLiteralLike(value) && value.text === "json") break;
        throw new Unclear(
          node,
          "responses are always read as the contract says",
        );
      default:
        throw new Unclear(node, `the option \`${name}\` has no equivalent`);
    }
  }
  const [first] = headers;
  if (first === undefined) return { request, options };
  if (options.some(({ kept }) => kept.parent.getText().startsWith("headers"))) {
    throw new Unclear(first.kept, "the call has two kinds of headers");
  }
  const all: Property = {
    print: (slice) =>
      `headers: { ${headers.map((each) => each.print(slice)).join(", ")} }`,
    kept: first.kept,
  };
  return { request, options: [...options, all] };
}

function readParams(
  params: ts.Expression,
  path: string,
  operation: ContractOperation,
  compiler: Compiler,
  request: Property[],
  headers: Property[],
): void {
  for (const { name, node, value } of propertiesOf(params, compiler)) {
    switch (name) {
      case "path":
        request.push(...readPart(value, pathPart(path, operation), compiler));
        break;
      case "query":
        request.push(...readPart(value, queryPart(operation), compiler));
        break;
      case "header":
        readHeaders(value, operation, compiler, request, headers);
        break;
      default:
        throw new Unclear(node, `parameters in \`${name}\` have no equivalent`);
    }
  }
}

function pathPart(path: string, { route }: ContractOperation): Part {
  const names = parametersIn(path);
  // Parameters have the same order, but not always the same names.
  const fields = pathParameters(route.path).slice(-names.length);
  return {
    title: "path",
    fields: new Map(names.map((name, index) => [name, fields[index] ?? name])),
  };
}

function queryPart({ route }: ContractOperation): Part {
  const fields = queryFieldsOf(route).map(
    ({ field, name }) => [name, field] as const,
  );
  return { title: "query", fields: new Map(fields) };
}

function readHeaders(
  value: ts.Expression,
  { route }: ContractOperation,
  compiler: Compiler,
  request: Property[],
  others: Property[],
): void {
  const fields = new Map(
    route.headers.map(({ field, name }) => [name.toLowerCase(), field]),
  );
  for (const each of propertiesOf(value, compiler)) {
    const field = fields.get(each.name.toLowerCase());
    if (field === undefined)
      others.push(property(each.name, each.value, compiler));
    else request.push(property(field, each.value, compiler));
  }
}

/** Reads an object of parameters, or spreads another expression. */
function readPart(
  value: ts.Expression,
  { fields, title }: Part,
  compiler: Compiler,
): readonly Property[] {
  const isSame = [...fields].every(([name, field]) => name === field);
  const spreadPart = (whole: ts.Node, part: ts.Expression): Property => {
    if (isSame) return spread(part, compiler);
    const renamed = [...fields].find(([name, field]) => name !== field);
    throw new Unclear(
      whole,
      `the ${title} is not an object literal, and \`${renamed?.[0]}\` has the name \`${renamed?.[1]}\` in the contract`,
    );
  };
  if (isUndefined(value, compiler)) return [];
  if (!compiler.isObjectLiteralExpression(value)) {
    return [spreadPart(value, value)];
  }
  return value.properties.map((node) => {
    if (compiler.isSpreadAssignment(node)) {
      return spreadPart(node, node.expression);
    }
    const read = readProperty(node, compiler);
    const field = fields.get(read.name);
    if (field !== undefined) return property(field, read.value, compiler);
    throw new Unclear(
      node,
      `the ${title} has no parameter \`${read.name}\` in the contract`,
      suggestHelp(read.name, fields.keys()).help ?? null,
    );
  });
}

function readBody(
  value: ts.Expression,
  { route }: ContractOperation,
  compiler: Compiler,
): readonly Property[] {
  const { requestBody }: { requestBody: RequestBody } = route;
  if (isUndefined(value, compiler)) return [];
  switch (requestBody.kind) {
    case "none":
      throw new Unclear(
        value,
        "the method has no request body in the contract",
      );
    case "field":
      return [property(requestBody.field, value, compiler)];
    case "fields":
      return compiler.isObjectLiteralExpression(value)
        ? value.properties.map((node) => ({
            print: (slice) => slice(node),
            kept: node,
          }))
        : [spread(value, compiler)];
  }
}

/** A property of an object literal, by its name. */
export interface NamedProperty {
  readonly name: string;
  readonly value: ts.Expression;
  readonly node: ts.ObjectLiteralElementLike;
}

/** Reads an object literal. Errors: {@link Unclear} if it has other members. */
export function propertiesOf(
  value: ts.Expression | undefined,
  compiler: Compiler,
): readonly NamedProperty[] {
  if (value === undefined || isUndefined(value, compiler)) return [];
  if (!compiler.isObjectLiteralExpression(value)) {
    throw new Unclear(value, `\`${shorten(value)}\` is not an object literal`);
  }
  return value.properties.map((node) => readProperty(node, compiler));
}

function readProperty(
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
  throw new Unclear(node, `\`${shorten(node)}\` is not a plain property`);
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

function spread(value: ts.Expression, compiler: Compiler): Property {
  const isSimple =
    compiler.isLeftHandSideExpression(value) ||
    compiler.isParenthesizedExpression(value);
  return {
    print: (slice) =>
      isSimple ? `...${slice(value)}` : `...(${slice(value)})`,
    kept: value,
  };
}

function isUndefined(value: ts.Expression, compiler: Compiler): boolean {
  return compiler.isIdentifier(value) && value.text === "undefined";
}

/** Returns the beginning of some code, for a message. */
export function shorten(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/gu, " ");
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}
