import { isFormPath } from "../../generator/1-parse/form-path.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import type { LoadedDocument } from "../../generator/1-parse/load/load-documents.js";
import type { CheckedContract } from "../../generator/2-check/index.js";
import { jsonNameOf } from "../../generator/2-check/notation/metadata.js";
import { findHeader } from "../../generator/2-check/notation/headers.js";
import { normalizeBasePath } from "../../generator/2-check/notation/base-path.js";
import type {
  CheckedHost,
  DeclaredType,
  Scope,
  DeclaredService,
} from "../../generator/2-check/program/program.js";
import {
  reachedFrom,
  lookUpIgnoringCase,
} from "../../generator/2-check/program/reach.js";
import type { Contract } from "../../generator/ir/contract.js";
import { invariant } from "../../generator/ir/invariant.js";
import type {
  ErrorJson,
  SchemaJson,
  AnnotationJson,
  ArgumentJson,
  MethodJson,
  ServiceJson,
} from "./schema-json.js";
import { metaOf, printType, typeToJson } from "./types.js";
import type {
  Annotation,
  Document,
  Message,
  Method,
} from "../../generator/1-parse/ast.js";

export type { SchemaJson } from "./schema-json.js";
export { inlineAliases } from "./inline-aliases.js";

/**
 * Returns webrpc's JSON form of a host: its document merged with its imports,
 * reduced to `part` if that is given.
 */
export function toSchemaJson(
  checked: CheckedContract,
  host: CheckedHost,
  part: Contract | null = null,
): SchemaJson {
  const schema = wholeSchema(checked, host);
  return part === null
    ? schema
    : reduceSchema(schema, part, host.document.path);
}

/** Removes everything that the given part of the contract does not include. */
function reduceSchema(
  schema: SchemaJson,
  { errors, hosts, types }: Contract,
  document: string,
): SchemaJson {
  const host = hosts.find((each) => each.document === document);
  const methods = new Map(
    host?.services.map((each) => [each.name, namesOf(each.methods)]),
  );
  const typeNames = namesOf(types);
  const errorNames = namesOf(errors);
  return {
    ...schema,
    types: schema.types.filter(({ name }) => typeNames.has(name)),
    errors: schema.errors.filter(({ name }) => errorNames.has(name)),
    services: schema.services
      .filter(({ name }) => methods.has(name))
      .map((service) => ({
        ...service,
        methods: service.methods.filter(({ name }) =>
          methods.get(service.name)?.has(name),
        ),
      })),
  };
}

function namesOf(
  declarations: readonly { readonly name: string }[],
): ReadonlySet<string> {
  return new Set(declarations.map(({ name }) => name));
}

function wholeSchema(
  checked: CheckedContract,
  { document, services }: CheckedHost,
): SchemaJson {
  const scopeOf = ({ path }: LoadedDocument): Scope => {
    const scope = checked.scopes.get(path);
    invariant(scope !== undefined, `no scope for ${path}`);
    return scope;
  };
  const { types, errors } = reachedFrom(scopeOf(document), checked.scopes);
  const basePath = headerOf(document, "basepath");
  // webrpc uses its default base path only if there are services.
  const hasPath = basePath !== "" || services.length > 0;
  return {
    webrpc: headerOf(document, "webrpc"),
    name: headerOf(document, "name"),
    version: headerOf(document, "version"),
    basepath: hasPath ? normalizeBasePath(basePath || "/rpc/") : "",
    types: byCategory([...types]).map((type) =>
      typeToJson(type, scopeOf(type.document)),
    ),
    errors: [...errors].map(({ syntax }): ErrorJson => {
      return {
        code: Number(syntax.code.text),
        name: syntax.name.text,
        message: syntax.message.text,
        httpStatus: Number(syntax.status?.text ?? 400),
      };
    }),
    services: services.map((service) =>
      serviceToJson(service, scopeOf(service.document)),
    ),
  };
}

/**
 * Prints the text that webrpc writes: indented by one space, with a final line
 * break. Go escapes two separators that JavaScript does not.
 */
export function printSchemaJson(schema: SchemaJson): string {
  const text = JSON.stringify(schema, null, 1)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

/**
 * Prints one RIDL document that merges a host's document with its imports. A
 * whole document without imports is only formatted, and loses its private
 * comments. Other documents keep only the docs that the JSON form contains.
 * RIDL has no metadata of arguments, so these get their names on the wire.
 */
export function printSchemaRidl(
  checked: CheckedContract,
  host: CheckedHost,
  part: Contract | null = null,
  convert?: (schema: SchemaJson) => SchemaJson,
): string {
  const { syntax, imports } = host.document;
  const isWhole = part === null && imports.length === 0 && !convert;
  if (isWhole) {
    const isForm = isFormPath(host.document.path);
    return printDocument(isForm ? withWireNames(syntax) : syntax, "public");
  }
  const schema = toSchemaJson(checked, host, part);
  const text = printSchemaJson(convert ? convert(schema) : schema);
  const merged = parseDocument({ path: "merged.json", text }).value;
  return printDocument(withWireNames(merged));
}

/** Gives arguments their names on the wire, and removes their metadata. */
function withWireNames(document: Document): Document {
  const convert = (message: Message): Message => ({
    ...message,
    arguments: message.arguments.flatMap((argument) => {
      const name = jsonNameOf(argument);
      if (name === null) return [];
      return {
        ...argument,
        name: { ...argument.name, text: name },
        metadata: [],
      };
    }),
  });
  const items = document.items.map((item) =>
    item.kind === "service"
      ? {
          ...item,
          methods: item.methods.map((method) => ({
            ...method,
            input: convert(method.input),
            output: convert(method.output),
          })),
        }
      : item,
  );
  return { ...document, items };
}

/** Returns webrpc's hash of a schema: the SHA-1 of its text. */
export function hashSchema(
  schema: SchemaJson,
  sha1: (text: string) => string,
): string {
  return sha1(printSchemaJson(schema));
}

function headerOf(document: LoadedDocument, key: string): string {
  return findHeader(document, key)?.value.text ?? "";
}

const CATEGORIES = ["alias", "enum", "struct"];

/** Sorts each RIDL document's types as webrpc does: aliases, enums, structs. */
function byCategory(types: readonly DeclaredType[]): readonly DeclaredType[] {
  const runs: DeclaredType[][] = [];
  for (const type of types) {
    const run = runs.at(-1);
    if (run?.[0]?.document === type.document) run.push(type);
    else runs.push([type]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first && isFormPath(first.document.path)) return run;
    return CATEGORIES.flatMap((kind) =>
      run.filter(({ syntax }) => syntax.kind === kind),
    );
  });
}

function serviceToJson({ syntax }: DeclaredService, scope: Scope): ServiceJson {
  return {
    name: syntax.name.text,
    methods: syntax.methods.map((method) => methodToJson(method, scope)),
    comments: syntax.docs,
  };
}

function methodToJson(method: Method, scope: Scope): MethodJson {
  const { absent = [], input, output, errors = [] } = method;
  const body = input.succinct ?? output.succinct;
  // `(file)` is short for `(file: file)`, so the request can list arguments.
  const isSuccinct = body !== undefined && body.text !== "file";
  return {
    name: method.name.text,
    annotations: absent.includes("annotations")
      ? null
      : annotationsToJson(method.annotations),
    comments: absent.includes("comments") ? null : method.docs,
    ...(isSuccinct && { succinct: true }),
    ...(input.isStream && { streamInput: true }),
    ...(output.isStream && { streamOutput: true }),
    inputs: messageToJson(input, scope),
    outputs: messageToJson(output, scope),
    ...(errors.length > 0 && { errors: errors.map(({ text }) => text) }),
  };
}

/** Sorts annotations by name, in byte order like Go. */
function annotationsToJson(
  annotations: readonly Annotation[],
): Readonly<Record<string, AnnotationJson>> {
  const entries = annotations.map(({ name, value }) => {
    const annotation = { annotationType: name.text, value: value?.text ?? "" };
    return [name.text, annotation] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function messageToJson(
  { succinct, arguments: list }: Message,
  scope: Scope,
): readonly ArgumentJson[] {
  if (succinct === undefined) {
    return list.map(({ name, type, isOptional, metadata }) => ({
      name: name.text,
      type: printType(type, scope),
      optional: isOptional,
      ...metaOf(metadata),
    }));
  }
  const declared = lookUpIgnoringCase(scope, succinct.text)?.syntax.name.text;
  const type = declared ?? succinct.text;
  const name = type.slice(0, 1).toLowerCase() + type.slice(1);
  return [{ name, type, optional: false }];
}
