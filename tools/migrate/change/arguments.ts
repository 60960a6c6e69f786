import type { ts } from "ts-morph";
import { suggestHelp } from "../../../generator/diagnostics/suggest.js";
import {
  parametersIn,
  pathParameters,
} from "../../../generator/ir/path-template.js";
import { fieldsAt } from "../../../generator/http/slots.js";
import type { WireRequest } from "../../../generator/http/wire-method.js";
import { checkSpread, type PartTitle } from "./check-spread.js";
import { type ContractOperation, querySlots } from "./operations.js";
import {
  isUndefined,
  type NamedProperty,
  propertiesOf,
  property,
  type Property,
  readProperty,
  spread,
} from "./properties.js";
import { UnsupportedCode } from "./unsupported-code.js";
import type { SymbolLookup } from "./uses.js";

/** The arguments of a call of a generated client. */
export interface Arguments {
  readonly request: readonly Property[];
  readonly options: readonly Property[];
}

/** An option of a call that is a member of a value that is spread. */
export interface SpreadOption {
  readonly name: string;
  /** The value that is spread. */
  readonly source: ts.Expression;
  /** The type of the member. */
  readonly type: ts.Type;
  readonly isOptional: boolean;
  /** Whether the value that is spread can be undefined. */
  readonly canLack: boolean;
}

/** What the value of an option of an old call becomes. */
type OptionUse =
  | "body"
  | "headers"
  /** Headers that can be fields if they are written there. */
  | "writtenHeaders"
  | "nothing"
  | "option"
  | "parser"
  | "path"
  | "query"
  | OptionGroup;

/** An option with options in it. */
interface OptionGroup {
  readonly options: OptionTable;
  /** Returns the error for other options. */
  readonly refuse?: (name: string) => string;
}

/** What becomes of the options of old calls. Others have no equivalent. */
export type OptionTable = Readonly<Record<string, OptionUse>>;

/** The names that part of a request can have, and their fields. */
interface Part {
  readonly title: PartTitle;
  readonly fields: ReadonlyMap<string, string>;
}

/** Collects the arguments of a call from the parts that clients have. */
export class ArgumentReader {
  readonly #path: string;
  readonly #operation: ContractOperation;
  readonly #lookup: SymbolLookup;
  readonly #request: RequestGroup[] = [];
  readonly #options: Property[] = [];
  /** Headers that are not fields of the request. */
  readonly #headers: Property[] = [];

  /** `path` is the one of the old call, with its names of parameters. */
  constructor(
    path: string,
    operation: ContractOperation,
    lookup: SymbolLookup,
  ) {
    this.#path = path;
    this.#operation = operation;
    this.#lookup = lookup;
  }

  /** Reads options. Errors: {@link UnsupportedCode} for those without equivalent. */
  readAll(
    properties: readonly NamedProperty[],
    { options, refuse = withoutEquivalent }: OptionGroup,
  ): void {
    for (const { name, node, value } of properties) {
      const use = Object.hasOwn(options, name) ? options[name] : undefined;
      if (use === undefined) throw new UnsupportedCode(node, refuse(name));
      this.#read(name, value, use);
    }
  }

  #read(name: string, value: ts.Expression, use: OptionUse): void {
    const { compiler } = this.#lookup;
    switch (use) {
      case "body":
        return this.#readBody(value);
      case "headers":
        return this.#readHeaders(value);
      case "writtenHeaders":
        return compiler.isObjectLiteralExpression(value)
          ? this.#readHeaders(value)
          : this.#addOption("headers", value);
      case "nothing":
        return;
      case "option":
        return this.#addOption(name, value);
      case "parser":
        return readParser(value);
      case "path":
        return this.#readPart(value, pathPart(this.#path, this.#operation));
      case "query":
        return this.#readPart(value, queryPart(this.#operation));
      default:
        this.readAll(propertiesOf(value, compiler), use);
    }
  }

  #readBody(value: ts.Expression): void {
    const { request } = this.#operation.method.wire;
    const properties = readBody(value, request, this.#lookup);
    this.#request.push({ title: "body", properties });
  }

  #readPart(value: ts.Expression, part: Part): void {
    const { request } = this.#operation.method.wire;
    const properties = readPart(value, part, request, this.#lookup);
    this.#request.push({ title: part.title, properties });
  }

  /** Reads headers, of which the contract declares some. */
  #readHeaders(value: ts.Expression): void {
    const { compiler } = this.#lookup;
    const { request } = this.#operation.method.wire;
    const fields = new Map(
      fieldsAt(request, "header").map(({ field, name }) => [
        name.toLowerCase(),
        field.jsonName,
      ]),
    );
    for (const each of propertiesOf(value, compiler)) {
      const field = fields.get(each.name.toLowerCase());
      if (field === undefined) {
        this.#headers.push(property(each.name, each.value, compiler));
      } else {
        const properties = [property(field, each.value, compiler)];
        this.#request.push({ title: "headers", properties });
      }
    }
  }

  /** Reads an option that is a member of a value. */
  readSpread(option: SpreadOption): void {
    switch (option.name) {
      case "path":
        this.#spreadPart(option, pathPart(this.#path, this.#operation));
        return;
      case "query":
        this.#spreadPart(option, queryPart(this.#operation));
        return;
      case "body":
        this.#spreadBody(option);
        return;
    }
    const { isOptional, name, source } = option;
    const print: Property["print"] = (slice) => {
      const value = memberOf(option, slice);
      const own = `${slice(source)}.${name}`;
      return isOptional
        ? `...(${value} && { ${name}: ${own} })`
        : `${name}: ${value}`;
    };
    this.#options.push({ print, kept: source });
  }

  #spreadPart(option: SpreadOption, { fields, title }: Part): void {
    const renamed = renamedIn(fields);
    const { source } = option;
    if (renamed !== undefined) throw otherName(source, title, renamed);
    this.#addSpread(option, title, "...");
  }

  #addSpread(option: SpreadOption, title: PartTitle, start: string): void {
    const { source, type } = option;
    const isSpread = start === "...";
    if (isSpread) {
      const { request } = this.#operation.method.wire;
      checkSpread(source, type, title, request, this.#lookup);
    }
    const print: Property["print"] = (slice) => start + memberOf(option, slice);
    const properties = [{ print, kept: source, isSpread }];
    this.#request.push({ title, properties });
  }

  #spreadBody(option: SpreadOption): void {
    const { kind, whole } = this.#operation.method.wire.request.body;
    const { isOptional, source } = option;
    if (kind === "none" || (kind === "whole" && isOptional)) {
      const message =
        kind === "whole"
          ? "the body can be absent"
          : "the method has no request body in the contract";
      throw new UnsupportedCode(source, message);
    }
    const start = whole === null ? "..." : `${whole.jsonName}: `;
    this.#addSpread(option, "body", start);
  }

  /** Adds an option of the new call. */
  #addOption(name: string, value: ts.Expression): void {
    this.#options.push(property(name, value, this.#lookup.compiler));
  }

  /** Errors: {@link UnsupportedCode} if there are headers and an option with headers. */
  finish(): Arguments {
    const request = inOrder(this.#request);
    const options = this.#options;
    const headers = this.#headers;
    const [first] = headers;
    if (first === undefined) return { request, options };
    if (
      options.some(({ kept }) => kept.parent.getText().startsWith("headers"))
    ) {
      throw new UnsupportedCode(
        first.kept,
        "the call has two kinds of headers",
      );
    }
    const all: Property = {
      print: (slice) =>
        `headers: { ${headers.map((each) => each.print(slice)).join(", ")} }`,
      kept: first.kept,
    };
    return { request, options: [...options, all] };
  }
}

function withoutEquivalent(name: string): string {
  return `the option \`${name}\` has no equivalent`;
}

/** Errors: {@link UnsupportedCode} unless a call reads the response as JSON. */
function readParser(value: ts.Expression): void {
  if (/^["'](?:auto|json)["']$/u.test(value.getText())) return;
  throw new UnsupportedCode(
    value.parent,
    "responses are always read as the contract says",
  );
}

/** A part of an old request, and what it becomes. */
interface RequestGroup {
  readonly title: PartTitle | "headers";
  readonly properties: readonly Property[];
}

/**
 * Returns the fields of a request. Values can have more members than their types
 * say, so what is spread comes first: a body never changes the address.
 */
function inOrder(groups: readonly RequestGroup[]): readonly Property[] {
  const spread = groups.filter(({ properties }) =>
    properties.some(({ isSpread }) => isSpread),
  );
  const first = (["body", "query", "path"] as const).flatMap((title) =>
    spread.filter((each) => each.title === title),
  );
  const rest = groups.filter((each) => !first.includes(each));
  return [...first, ...rest].flatMap(({ properties }) => properties);
}

/** Prints `options.query`. */
function memberOf(
  { canLack, name, source }: SpreadOption,
  slice: (node: ts.Node) => string,
): string {
  return `${slice(source)}${canLack ? "?." : "."}${name}`;
}

function pathPart(path: string, { address }: ContractOperation): Part {
  const names = parametersIn(path);
  // Parameters have the same order, but not always the same names.
  const fields = pathParameters(address.template).slice(-names.length);
  return {
    title: "path",
    fields: new Map(names.map((name, index) => [name, fields[index] ?? name])),
  };
}

function queryPart(operation: ContractOperation): Part {
  const fields = querySlots(operation).map(
    ({ field, name }) => [name, field.jsonName] as const,
  );
  return { title: "query", fields: new Map(fields) };
}

/** Returns a name whose field has another one in the contract. */
function renamedIn(
  fields: Part["fields"],
): readonly [name: string, field: string] | undefined {
  return [...fields].find(([name, field]) => name !== field);
}

function otherName(
  node: ts.Node,
  title: string,
  [name, field]: readonly [string, string],
): UnsupportedCode {
  return new UnsupportedCode(
    node,
    `the ${title} is not an object literal, and \`${name}\` has the name \`${field}\` in the contract`,
  );
}

/** Reads an object of parameters, or spreads another expression. */
function readPart(
  value: ts.Expression,
  { fields, title }: Part,
  request: WireRequest,
  lookup: SymbolLookup,
): readonly Property[] {
  const { checker, compiler } = lookup;
  const renamed = renamedIn(fields);
  const spreadPart = (whole: ts.Node, part: ts.Expression): Property => {
    if (renamed !== undefined) throw otherName(whole, title, renamed);
    checkSpread(part, checker.getTypeAtLocation(part), title, request, lookup);
    return spread(part, compiler);
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
    throw new UnsupportedCode(
      node,
      `the ${title} has no parameter \`${read.name}\` in the contract`,
      suggestHelp(read.name, fields.keys()).help ?? null,
    );
  });
}

function readBody(
  value: ts.Expression,
  request: WireRequest,
  lookup: SymbolLookup,
): readonly Property[] {
  const { checker, compiler } = lookup;
  const { body } = request;
  const check = (part: ts.Expression): void =>
    checkSpread(part, checker.getTypeAtLocation(part), "body", request, lookup);
  if (isUndefined(value, compiler)) return [];
  switch (body.kind) {
    case "none":
      throw new UnsupportedCode(
        value,
        "the method has no request body in the contract",
      );
    case "whole":
      return [property(body.whole.jsonName, value, compiler)];
    case "object":
      if (!compiler.isObjectLiteralExpression(value)) {
        check(value);
        return [spread(value, compiler)];
      }
      return value.properties.map((node) => {
        const isSpread = compiler.isSpreadAssignment(node);
        if (isSpread) check(node.expression);
        return { print: (slice) => slice(node), kept: node, isSpread };
      });
  }
}
