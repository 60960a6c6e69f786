import type { Annotation, Message, Method, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { PathTemplate } from "../../ir/contract.js";
import { findAnnotation } from "../notation/annotations.js";
import { jsonNameOf } from "../notation/json-name.js";
import { parsePathTemplate } from "../notation/path-template.js";
import { fieldsOf, type MessageField } from "./messages.js";
import type { Program } from "./program.js";

/** A field of a message by its name on the wire. */
export interface WireField extends MessageField {
  readonly jsonName: string;
}

/** A method with a `@get` path. */
export interface RestRead {
  readonly method: Method;
  readonly document: LoadedDocument;
  /** The path as written in `@get`. */
  readonly place: Word;
  readonly path: PathTemplate;
  readonly body: Annotation | undefined;
  readonly request: readonly WireField[];
  readonly response: readonly WireField[];
}

/** All methods with `@get:"/path"`; a bare `@get` is an annotation like any other. */
export function findRestReads(program: Program): readonly RestRead[] {
  return program.nodes.methods.flatMap(({ syntax: method, document }) => {
    const place = findAnnotation(method, "get")?.value;
    if (place === undefined) return [];
    return {
      method,
      document,
      place,
      path: parsePathTemplate(place.text),
      body: findAnnotation(method, "body"),
      request: wireFieldsOf(program, document, method.input),
      response: wireFieldsOf(program, document, method.output),
    };
  });
}

function wireFieldsOf(
  program: Program,
  document: LoadedDocument,
  message: Message,
): readonly WireField[] {
  return fieldsOf(program, document, message).flatMap((field) => {
    const { syntax } = field;
    const jsonName =
      syntax.kind === "field" ? jsonNameOf(syntax) : syntax.name.text;
    return jsonName === null ? [] : { ...field, jsonName };
  });
}
