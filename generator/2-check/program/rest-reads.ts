import type {
  Annotation,
  Message,
  Method,
  ServiceDeclaration,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { PathTemplate } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import { findAnnotation } from "../notation/annotations.js";
import { jsonNameOf } from "../notation/metadata.js";
import { parsePathTemplate } from "../notation/path-template.js";
import { fieldsOf, type MessageField } from "./messages.js";
import { collectNodes } from "./nodes.js";
import type { Program } from "./program.js";

/** A field of a message by its name on the wire. */
export interface WireField extends MessageField {
  readonly jsonName: string;
}

/** A method with a `@get` path. */
export interface RestRead {
  readonly method: Method;
  readonly service: ServiceDeclaration;
  readonly document: LoadedDocument;
  /** The path as written in `@get`. */
  readonly place: Word;
  readonly path: PathTemplate;
  readonly body: Annotation | undefined;
  readonly request: readonly WireField[];
  readonly response: readonly WireField[];
}

/** Returns all methods with `@get:"/path"`, but not a bare `@get`. */
export function findRestReads(program: Program): readonly RestRead[] {
  return program.documents.flatMap(readsOf).map((read) => ({
    ...read,
    request: wireFieldsOf(program, read.document, read.method.input),
    response: wireFieldsOf(program, read.document, read.method.output),
  }));
}

/** Returns a document's REST reads, without the fields of their messages. */
const readsOf = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).methods.flatMap(({ syntax: method, owner }) => {
    const place = findAnnotation(method, "get")?.value;
    if (place === undefined) return [];
    const path = parsePathTemplate(place.text);
    const body = findAnnotation(method, "body");
    return { method, service: owner, document, place, path, body };
  }),
);

function wireFieldsOf(
  program: Program,
  document: LoadedDocument,
  message: Message,
): readonly WireField[] {
  return fieldsOf(program, document, message).flatMap((field) => {
    const jsonName = jsonNameOf(field.syntax);
    return jsonName === null ? [] : { ...field, jsonName };
  });
}
