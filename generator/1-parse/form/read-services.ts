import type {
  Annotation,
  Argument,
  Message,
  Method,
  ServiceDeclaration,
} from "../ast.js";
import {
  FormObject,
  toAnnotationValue,
  toLiteral,
  toName,
} from "./form-object.js";
import { readType } from "./read-types.js";

/** The keys of an entry of `services`. */
export const serviceKeys = ["name", "methods", "comments"];
const methodKeys = [
  ...["name", "annotations", "comments", "succinct", "streamInput"],
  ...["streamOutput", "inputs", "outputs", "errors"],
];
const argumentKeys = ["name", "type", "optional"];

/** Reads one entry of `services`. Returns null after a diagnostic. */
export function readService(object: FormObject): ServiceDeclaration | null {
  const name = object.requireText("name");
  if (!name) return null;
  return {
    kind: "service",
    span: object.span,
    docs: object.docs(),
    annotations: [],
    name: toLiteral(name),
    methods: object.objects("methods", "a method", methodKeys, readMethod),
  };
}

function readMethod(object: FormObject): Method | null {
  const name = object.requireText("name");
  if (!name) return null;
  const isSuccinct = object.flag("succinct");
  const method = {
    kind: "method",
    span: object.span,
    docs: object.docs(),
    annotations: readAnnotations(object),
    name: toName(name),
    isProxy: false,
    input: readMessage(object, isSuccinct, "inputs", "streamInput"),
    output: readMessage(object, isSuccinct, "outputs", "streamOutput"),
  } as const;
  const errors = object.texts("errors").map(toName);
  return errors.length === 0 ? method : { ...method, errors };
}

function readMessage(
  object: FormObject,
  isSuccinct: boolean,
  key: "inputs" | "outputs",
  streamKey: string,
): Message {
  const list = object.objects(key, "an argument", argumentKeys, readArgument);
  const { start } = object.span;
  const message = {
    kind: "message",
    span: object.get(key)?.span ?? { start, end: start },
    isStream: object.flag(streamKey),
    arguments: list,
  } as const;
  const [first, second] = list;
  if (!isSuccinct || first === undefined) return message;
  if (second === undefined && first.type.kind === "name") {
    return { ...message, succinct: first.type.name, arguments: [] };
  }
  const text = `\`${key}\` of a succinct method must be one struct`;
  object.reporter.error("invalid-form", message.span, text);
  return message;
}

function readArgument(object: FormObject): Argument | null {
  const name = object.requireText("name");
  const type = readType(object);
  if (!name || !type) return null;
  const isOptional = object.flag("optional");
  const { span } = object;
  return { kind: "argument", span, name: toName(name), isOptional, type };
}

/** Reads `{ "auth": { "annotationType": "auth", "value": "a,b" } }`. */
function readAnnotations(object: FormObject): Annotation[] {
  return object.entries("annotations").flatMap(({ key, value }) => {
    const keys = ["annotationType", "value"];
    const entry = FormObject.read(
      object.reporter,
      value,
      "an annotation",
      keys,
    );
    if (entry === null) return [];
    const text = entry.text("value");
    return {
      kind: "annotation",
      span: { start: key.span.start, end: value.span.end },
      name: toName(key),
      ...(text && text.text !== "" && { value: toAnnotationValue(text) }),
    };
  });
}
