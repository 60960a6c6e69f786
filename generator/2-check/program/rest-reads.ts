import type {
  Annotation,
  Method,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { PathTemplate } from "../../ir/contract.js";
import { findAnnotation } from "../notation/annotations.js";
import { jsonNameOf } from "../notation/json-name.js";
import { parsePathTemplate } from "../notation/path-template.js";
import type { Program } from "./program.js";
import { lookUpLoosely } from "./reach.js";

/** One argument, or one field of the struct that is the message. */
export interface MessageField {
  readonly jsonName: string;
  readonly name: Word;
  readonly type: TypeExpression;
  readonly isOptional: boolean;
  readonly document: LoadedDocument;
}

/** A method that is read by GET. */
export interface RestRead {
  readonly method: Method;
  readonly document: LoadedDocument;
  /** The path as written in `@get`. */
  readonly place: Word;
  readonly path: PathTemplate;
  readonly body: Annotation | undefined;
  readonly request: readonly MessageField[];
  readonly response: readonly MessageField[];
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
      request: fieldsOf(method.input, document, program),
      response: fieldsOf(method.output, document, program),
    };
  });
}

function fieldsOf(
  message: Method["input"],
  document: LoadedDocument,
  { scopes }: Program,
): readonly MessageField[] {
  if (message.succinct === undefined) {
    return message.arguments.map(({ name, type, isOptional }) => {
      return { jsonName: name.text, name, type, isOptional, document };
    });
  }
  const scope = scopes.get(document.path);
  const struct = scope && lookUpLoosely(scope, message.succinct.text);
  if (struct?.syntax.kind !== "struct") return [];
  return struct.syntax.fields.flatMap((field) => {
    const jsonName = jsonNameOf(field);
    if (jsonName === null) return [];
    const { name, type, isOptional } = field;
    return { jsonName, name, type, isOptional, document: struct.document };
  });
}
