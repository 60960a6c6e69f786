import type {
  Argument,
  EnumMember,
  ErrorDeclaration,
  Field,
  Message,
  Method,
  ServiceDeclaration,
  StructDeclaration,
} from "../../../generator/1-parse/ast.js";
import {
  loadDocuments,
  type LoadedDocument,
} from "../../../generator/1-parse/load/load-documents.js";
import type { TypeSyntax } from "../../../generator/2-check/program/program.js";
import {
  bindingOf,
  parametersOf,
  validHeaders,
  verbOf,
} from "../../../generator/2-check/notation/rest-binding.js";
import { findAnnotation } from "../../../generator/2-check/notation/annotations.js";
import { jsonNameOf } from "../../../generator/2-check/notation/metadata.js";
import {
  pathParameters,
  shapeOf,
} from "../../../generator/ir/path-template.js";

/** A method with its service and document. */
export interface AddressedMethod {
  readonly syntax: Method;
  readonly service: ServiceDeclaration;
  readonly path: string;
  /**
   * The verb and the path without names of parameters, or the names of the
   * service and the method. It does not depend on the document.
   */
  readonly address: string;
}

/**
 * One of the three versions of a contract: what the last import made, what the
 * files contain, or what the document is now.
 */
export interface Version {
  readonly documents: readonly LoadedDocument[];
  readonly types: ReadonlyMap<string, TypeSyntax>;
  readonly errors: ReadonlyMap<string, ErrorDeclaration>;
  readonly services: ReadonlyMap<string, ServiceDeclaration>;
  readonly methods: readonly AddressedMethod[];
}

/** Parses the documents of a version. Input: texts by path. */
export function readVersion(texts: ReadonlyMap<string, string>): Version {
  const loaded = loadDocuments([...texts.keys()], {
    read: (path) => texts.get(path) ?? null,
  });
  const documents = [...loaded.values()].filter((each) => each !== null);
  const types = new Map<string, TypeSyntax>();
  const errors = new Map<string, ErrorDeclaration>();
  const services = new Map<string, ServiceDeclaration>();
  const methods: AddressedMethod[] = [];
  for (const { path, syntax: document } of documents) {
    for (const item of document.items) {
      switch (item.kind) {
        case "header":
        case "import":
          break;
        case "error":
          errors.set(item.name.text, item);
          break;
        case "alias":
        case "enum":
        case "struct":
          types.set(item.name.text, item);
          break;
        case "service":
          services.set(item.name.text, item);
          for (const syntax of item.methods) {
            const address = addressOf(syntax, item.name.text);
            methods.push({ syntax, service: item, path, address });
          }
      }
    }
  }
  return { documents, types, errors, services, methods };
}

/** Returns what identifies a method on the wire. */
export function addressOf(method: Method, service: string): string {
  const binding = bindingOf(method);
  if (binding === null) return `${service}/${method.name.text}`;
  // Methods that only clients have can differ in the names of parameters alone.
  const isClientOnly = findAnnotation(method, "clientOnly") !== undefined;
  const path = isClientOnly ? binding.path.text : shapeOf(binding.path);
  return `${verbOf(binding)} ${path}`;
}

/**
 * The places of a request or a response that annotations name, such as a
 * parameter of the path or a header, with the names of their fields.
 */
export type Slots = ReadonlyMap<string, string>;

/** Returns the places of a request. */
export function requestSlots(method: Method): Slots {
  const binding = bindingOf(method);
  const body = findAnnotation(method, "requestBody")?.value?.text;
  return new Map([
    ...(binding === null ? [] : pathParameters(binding.path)).map(
      (name, index) => [`path ${index}`, name] as const,
    ),
    ...(binding === null ? [] : parametersOf(binding)).flatMap((parameter) =>
      parameter.kind === "field"
        ? [[`query ${parameter.name}`, parameter.field] as const]
        : [],
    ),
    ...headerSlots(validHeaders(binding?.headers ?? [])),
    ...(body === undefined ? [] : [["body", body] as const]),
  ]);
}

/** Returns the places of a response. */
export function responseSlots(method: Method): Slots {
  const binding = bindingOf(method);
  const body = findAnnotation(method, "body")?.value?.text;
  const status = findAnnotation(method, "responseStatus")?.value?.text;
  return new Map([
    ...headerSlots(validHeaders(binding?.responseHeaders ?? [])),
    ...(binding?.statuses ?? []).flatMap(({ field, status: number }) =>
      field === null ? [] : [[`status ${number}`, field] as const],
    ),
    ...(body === undefined ? [] : [["body", body] as const]),
    ...(status === undefined ? [] : [["status", status] as const]),
  ]);
}

function headerSlots(
  headers: readonly { readonly name: string; readonly field: string }[],
): readonly (readonly [string, string])[] {
  return headers.map(({ field, name }) => [
    `header ${name.toLowerCase()}`,
    field,
  ]);
}

/** Finds the field of a struct with a name on the wire. */
export function fieldByWire(
  struct: StructDeclaration,
  name: string,
): Field | undefined {
  return struct.fields.find((field) => jsonNameOf(field) === name);
}

/** Returns the value of an enum's member on the wire. */
export function valueOf({ name, value }: EnumMember): string {
  return (value ?? name).text;
}

/** Finds the argument or field of a message that annotations call `name`. */
export function partOf(
  { types }: Version,
  { arguments: list, succinct }: Message,
  name: string,
): Argument | Field | undefined {
  if (succinct === undefined) {
    return list.find((argument) => argument.name.text === name);
  }
  const type = types.get(succinct.text);
  return type?.kind === "struct" ? fieldByWire(type, name) : undefined;
}

/** Whether two maps have the same texts. */
export function hasSameTexts(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): boolean {
  return (
    one.size === other.size &&
    [...one].every(([key, text]) => other.get(key) === text)
  );
}
