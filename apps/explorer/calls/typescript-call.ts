import { collectEntries, variantShape } from "./draft-json.js";
import type { FieldData } from "../../../generator/4-emit/docs/explorer-data.js";
import {
  braces,
  brackets,
  type PrintedMember,
  quoteKey,
  quoteString,
} from "./code-text.js";
import { printFlat, type JsonNode } from "./json-text.js";
import type { Entry, Model, Shape } from "./model.js";
import { baseUrlOf } from "./request.js";
import {
  filesToSend,
  isLargeInteger,
  type SnippetInput,
  variableOf,
} from "./snippet-request.js";

/** Prints a call with the generated client as a TypeScript module. */
export function printTypeScript(input: SnippetInput): string {
  const { host, method, service } = input.entry;
  if (method.route.kind === "webhook") return printReceiver(input.entry);
  const call = `client.${method.property}(${argumentOf(input)})`;
  const files =
    filesToSend(input).length === 0
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

function argumentOf(input: SnippetInput): string {
  const { entry, message, model } = input;
  const fields = model.fieldsOf(entry.method.request);
  const given = message.kind === "object" ? message.entries : [];
  const entries = [
    ...printEntries(model, fields, given),
    ...fileEntries(input),
  ];
  return entries.length === 0 ? "" : braces(entries);
}

function printEntries(
  model: Model,
  fields: readonly FieldData[],
  entries: readonly (readonly [string, JsonNode])[],
): readonly PrintedMember[] {
  const types = new Map(fields.map((field) => [field.name, field]));
  return collectEntries(fields, entries).map(([key, node]) => {
    const field = types.get(key);
    const shape = field && model.shape(field.type, field.limits);
    return [quoteKey(key), printValue(model, shape, node)];
  });
}

/** Prints the file fields, as lists where the contract has lists. */
function fileEntries(input: SnippetInput): readonly PrintedMember[] {
  const files = filesToSend(input);
  const names = [...new Set(files.map(({ field }) => field))];
  return names.map((field) => {
    const own = files.filter((file) => file.field === field);
    const values = own.map(
      ({ name }) => `await openAsBlob(${quoteString(name)})`,
    );
    const isList = own.some((file) => file.isList);
    const value = isList ? `[${values.join(", ")}]` : (values[0] ?? "");
    return [quoteKey(field), value];
  });
}

/** Prints a value as an expression of its type in the generated client. */
function printValue(
  model: Model,
  written: Shape | undefined,
  node: JsonNode,
): string {
  const shape =
    written?.kind === "union" ? variantShape(model, written, node) : written;
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
      return printScalar(shape, node);
  }
}

function printScalar(shape: Shape | undefined, node: JsonNode): string {
  const isString = node.kind === "string";
  const text = isString ? node.value : printFlat(node);
  if (/^-?\d+$/u.test(text) && isBigint(shape, isString)) {
    // Remove leading zeros, which are not allowed in a `bigint` literal.
    return `${BigInt(text)}n`;
  }
  if (!isString) return text;
  const quoted = quoteString(text);
  if (shape?.kind === "bytes") {
    return `Uint8Array.from(atob(${quoted}), (c) => c.charCodeAt(0))`;
  }
  const isDate = shape?.kind === "scalar" && shape.scalar.code === "date";
  return isDate ? `new Date(${quoted})` : quoted;
}

/** Whether the client uses a `bigint` for an integer, quoted or not. */
function isBigint(shape: Shape | undefined, isString: boolean): boolean {
  if (shape?.kind !== "scalar" || shape.scalar.code !== "bigint") return false;
  return isString || isLargeInteger(shape);
}

/** Prints a receiver of the webhooks of a service. */
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
