import type {
  ExplorerData,
  FieldData,
} from "../../generator/4-emit/docs/explorer-data.js";
import { variableOf } from "./curl.js";
import { printFlat, type JsonNode } from "./json-text.js";
import type { Entry, Model, Shape } from "./model.js";
import { baseUrlOf, type CallRequest, type Connection } from "./request.js";

/** What a snippet shows. */
export interface SnippetInput {
  readonly model: Model;
  readonly entry: Entry;
  readonly message: JsonNode;
  readonly request: CallRequest;
  readonly connection: Connection;
  /** Whether keys are written out; else they are environment variables. */
  readonly showsKeys: boolean;
}

/** A call through the generated client, as a module of TypeScript. */
export function printTypeScript(input: SnippetInput): string {
  const { host, method, service } = input.entry;
  if (method.route.kind === "webhook") return printReceiver(input.entry);
  const call = `client.${method.property}(${argumentOf(input)})`;
  const files =
    input.request.files === null
      ? []
      : ['import { openAsBlob } from "node:fs";'];
  return [
    ...files,
    `import { ${service.create} } from ${quoteString(host.client)};`,
    "",
    `const client = ${service.create}({`,
    ...optionsOf(input).map((line) => `  ${line}`),
    "});",
    ...(method.response?.isStream
      ? [`for await (const item of ${call}) {`, "  console.log(item);", "}"]
      : [`const response = await ${call};`, "console.log(response);"]),
    "",
  ].join("\n");
}

function optionsOf({
  connection,
  entry,
  request,
  showsKeys,
}: SnippetInput): readonly string[] {
  const parameters = (entry.host.parameters ?? []).map(
    (name) =>
      `${quoteKey(name)}: ${quoteString(connection.parameters.get(name) ?? "")}`,
  );
  const credentials = request.credentials.map(({ credential, value }) => {
    const variable = quoteString(variableOf(credential.name));
    const text = showsKeys
      ? quoteString(value)
      : `process.env[${variable}] ?? ""`;
    return `${quoteKey(credential.property)}: ${text}`;
  });
  return [
    `baseUrl: ${quoteString(baseUrlOf(entry, connection))},`,
    ...optionLines("parameters", parameters),
    ...optionLines("credentials", credentials),
  ];
}

function optionLines(
  name: string,
  entries: readonly string[],
): readonly string[] {
  if (entries.length === 0) return [];
  const flat = `${name}: { ${entries.join(", ")} },`;
  if (flat.length <= 76) return [flat];
  return [`${name}: {`, ...entries.map((entry) => `  ${entry},`), "},"];
}

function argumentOf({ entry, message, model, request }: SnippetInput): string {
  const fields = model.fieldsOf(entry.method.request);
  const given = message.kind === "object" ? message.entries : [];
  const entries = [
    ...printEntries(model, fields, given),
    ...fileEntries(model, fields, request),
  ];
  return entries.length === 0 ? "" : braces(entries);
}

/** A property, already printed. */
type Printed = readonly [key: string, value: string];

function printEntries(
  model: Model,
  fields: readonly FieldData[],
  entries: readonly (readonly [string, JsonNode])[],
): readonly Printed[] {
  const types = new Map(fields.map((field) => [field.name, field]));
  return entries.map(([key, node]) => {
    const field = types.get(key);
    const shape = field && model.shape(field.type, field.limits);
    return [quoteKey(key), printValue(model, shape, node)];
  });
}

function fileEntries(
  model: Model,
  fields: readonly FieldData[],
  { files }: CallRequest,
): readonly Printed[] {
  if (files === null) return [];
  return fields.flatMap((field): readonly Printed[] => {
    const shape = model.shape(field.type);
    const isList = shape.kind === "list";
    const inner = isList ? model.shape(shape.element) : shape;
    if (inner.kind !== "scalar" || inner.name !== "file") return [];
    const names = files
      .filter(([name]) => name === field.name)
      .map(([, file]) => file.name);
    if (names.length === 0 && field.isOptional) return [];
    if (names.length === 0) names.push(`${field.name}.bin`);
    const values = names.map(
      (name) => `await openAsBlob(${quoteString(name)})`,
    );
    const value = isList ? `[${values.join(", ")}]` : (values[0] ?? "");
    return [[quoteKey(field.name), value]];
  });
}

/** A value as an expression of the type that the generated client has. */
function printValue(
  model: Model,
  shape: Shape | undefined,
  node: JsonNode,
): string {
  switch (node.kind) {
    case "list": {
      const element =
        shape?.kind === "list" ? model.shape(shape.element) : undefined;
      return brackets(
        node.items.map((item) => printValue(model, element, item)),
      );
    }
    case "object": {
      if (shape?.kind === "map") {
        const element = model.shape(shape.value);
        return braces(
          node.entries.map(([key, value]) => [
            quoteKey(key),
            printValue(model, element, value),
          ]),
        );
      }
      const fields = shape?.kind === "struct" ? shape.fields : [];
      return braces(printEntries(model, fields, node.entries));
    }
    case "literal":
    case "string":
      return printScalar(model, shape, node);
  }
}

function printScalar(
  { data }: Model,
  shape: Shape | undefined,
  node: JsonNode,
): string {
  const isString = node.kind === "string";
  const text = isString ? node.value : printFlat(node);
  if (/^-?\d+$/u.test(text) && isBigint(data, shape, isString)) {
    // Without zeros in front, which would make it octal.
    return `${BigInt(text)}n`;
  }
  if (!isString) return text;
  const quoted = quoteString(text);
  if (shape?.kind === "bytes") {
    return `Uint8Array.from(atob(${quoted}), (c) => c.charCodeAt(0))`;
  }
  const isDate =
    data.timestamp === "date" &&
    shape?.kind === "scalar" &&
    shape.name === "timestamp";
  return isDate ? `new Date(${quoted})` : quoted;
}

/** Whether digits, in a string or not, are a `bigint` of the client. */
function isBigint(
  { int64 }: ExplorerData,
  shape: Shape | undefined,
  isString: boolean,
): boolean {
  if (shape?.kind !== "scalar") return false;
  const { limits, name } = shape;
  if (isString) return name === "bigint";
  const is64 = name === "int64" || name === "uint64";
  return is64 && int64 === "bigint" && !isSafe(name, limits);
}

function isSafe(
  name: "int64" | "uint64",
  { maximum, minimum }: { maximum?: string; minimum?: string },
): boolean {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  const isBelow = maximum !== undefined && BigInt(maximum) <= most;
  const isAbove = minimum !== undefined && BigInt(minimum) >= -most;
  return isBelow && (isAbove || name === "uint64");
}

/** A key of an object literal. A plain `__proto__` would set the prototype. */
function quoteKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quoteString(name);
}

/** A string literal in which every character can be seen. */
function quoteString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

function braces(entries: readonly Printed[]): string {
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, value]) => `${key}: ${value},`);
  return `{\n${indent(lines.join("\n"))}\n}`;
}

function brackets(items: readonly string[]): string {
  const flat = `[${items.join(", ")}]`;
  if (flat.length <= 60 && !flat.includes("\n")) return flat;
  return `[\n${indent(items.map((item) => `${item},`).join("\n"))}\n]`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gmu, "  ");
}

/** Whoever is called by a webhook has a receiver. */
function printReceiver({ host, service }: Entry): string {
  const methods = service.methods.flatMap(({ property }) => [
    `      ${property}(request) {`,
    "        console.log(request);",
    "        return {};",
    "      },",
  ]);
  return [
    `import { ${service.create} } from ${quoteString(host.server)};`,
    "",
    `export const receiver = ${service.create}({`,
    "  handlers: {",
    `    ${quoteKey(service.property)}: {`,
    ...methods,
    "    },",
    "  },",
    "});",
    "",
  ].join("\n");
}
