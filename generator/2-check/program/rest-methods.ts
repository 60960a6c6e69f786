import type {
  Annotation,
  Message,
  Method,
  ServiceDeclaration,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Verb } from "../../ir/contract.js";
import { pathParameters } from "../../ir/path-template.js";
import { rememberEach } from "../../ir/remember.js";
import { findAnnotation } from "../notation/annotations.js";
import { jsonNameOf } from "../notation/metadata.js";
import {
  bindingOf,
  parametersOf,
  type RestBinding,
  validHeaders,
  verbOf,
} from "../notation/rest-binding.js";
import { fieldsOf, type MessageField } from "./messages.js";
import { collectNodes } from "./nodes.js";
import type { Program } from "./program.js";

/** A field of a message by its name on the wire. */
export interface WireField extends MessageField {
  readonly jsonName: string;
}

/** A method with `@http`, or with a `@get` path. */
export interface RestMethod {
  readonly method: Method;
  readonly service: ServiceDeclaration;
  readonly document: LoadedDocument;
  readonly binding: RestBinding;
  readonly verb: Verb;
  readonly body: Annotation | undefined;
  readonly requestBody: Annotation | undefined;
  readonly contentType: Annotation | undefined;
  readonly form: Annotation | undefined;
  readonly responseStatus: Annotation | undefined;
  readonly request: readonly WireField[];
  readonly response: readonly WireField[];
}

/** Returns all methods with an address of their own, but not a bare `@get`. */
export const findRestMethods = rememberEach(
  (program: Program): readonly RestMethod[] =>
    program.documents.flatMap(restMethodsOf).map((rest) => ({
      ...rest,
      request: wireFieldsOf(program, rest.document, rest.method.input),
      response: wireFieldsOf(program, rest.document, rest.method.output),
    })),
);

/** Returns the JSON names of the fields in the path, the query and headers. */
export function boundFields(binding: RestBinding): readonly string[] {
  const inQuery = parametersOf(binding).flatMap((each) =>
    each.kind === "field" ? each.field : [],
  );
  const inHeaders = validHeaders(binding.headers).map(({ field }) => field);
  return [...pathParameters(binding.path), ...inQuery, ...inHeaders];
}

/** Returns a document's REST methods, without the fields of their messages. */
const restMethodsOf = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).methods.flatMap(({ syntax: method, owner }) => {
    const binding = bindingOf(method);
    if (binding === null) return [];
    return {
      method,
      service: owner,
      document,
      binding,
      verb: verbOf(binding),
      body: findAnnotation(method, "body"),
      requestBody: findAnnotation(method, "requestBody"),
      contentType: findAnnotation(method, "contentType"),
      form: findAnnotation(method, "form"),
      responseStatus: findAnnotation(method, "responseStatus"),
    };
  }),
);

/** Returns the fields of a message that have a name on the wire. */
export function wireFieldsOf(
  program: Program,
  document: LoadedDocument,
  message: Message,
): readonly WireField[] {
  return namedOnWire(fieldsOf(program, document, message));
}

/** Returns fields by their names on the wire, without those that have none. */
export function namedOnWire(
  fields: readonly MessageField[],
): readonly WireField[] {
  return fields.flatMap((field) => {
    const jsonName = jsonNameOf(field.syntax);
    return jsonName === null ? [] : { ...field, jsonName };
  });
}
