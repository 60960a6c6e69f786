import type {
  Annotation,
  Argument,
  Message,
  Method,
  ServiceDeclaration,
} from "../ast.js";
import type { FormNode } from "./form-node.js";
import {
  describe,
  FormObject,
  toAnnotationValue,
  toLiteral,
  toName,
} from "./form-object.js";
import type { Reporter } from "../reporter.js";
import { readType } from "./read-types.js";

const serviceKeys = ["name", "methods", "comments"];
const methodKeys = [
  ...["name", "annotations", "comments", "succinct", "streamInput"],
  ...["streamOutput", "inputs", "outputs", "errors"],
];
const argumentKeys = ["name", "type", "optional"];

/** Reads one entry of `services`; null after a diagnostic. */
export function readService(
  reporter: Reporter,
  node: FormNode,
): ServiceDeclaration | null {
  const object = FormObject.read(reporter, node, "a service", serviceKeys);
  const name = object?.requireText("name");
  if (!object || !name) return null;
  const methods = object.list("methods").flatMap((item) => {
    const method = readMethod(reporter, item);
    return method ? [method] : [];
  });
  return {
    kind: "service",
    span: object.span,
    docs: object.docs(),
    annotations: [],
    name: toLiteral(name),
    methods,
  };
}

function readMethod(reporter: Reporter, node: FormNode): Method | null {
  const object = FormObject.read(reporter, node, "a method", methodKeys);
  const name = object?.requireText("name");
  if (!object || !name) return null;
  const isSuccinct = object.flag("succinct");
  const method = {
    kind: "method",
    span: object.span,
    docs: object.docs(),
    annotations: readAnnotations(reporter, object),
    name: toName(name),
    isProxy: false,
    input: readMessage(reporter, object, isSuccinct, "inputs", "streamInput"),
    output: readMessage(
      reporter,
      object,
      isSuccinct,
      "outputs",
      "streamOutput",
    ),
  } as const;
  const errors = object.texts("errors").map(toName);
  return errors.length === 0 ? method : { ...method, errors };
}

function readMessage(
  reporter: Reporter,
  object: FormObject,
  isSuccinct: boolean,
  key: "inputs" | "outputs",
  streamKey: string,
): Message {
  const list = object.list(key).flatMap((node) => {
    const argument = readArgument(reporter, node);
    return argument ? [argument] : [];
  });
  const { start } = object.span;
  const message = {
    kind: "message",
    span: object.get(key)?.span ?? { start, end: start },
    isStream: object.flag(streamKey),
  } as const;
  const [first, second] = list;
  if (!isSuccinct || first === undefined)
    return { ...message, arguments: list };
  if (second === undefined && first.type.kind === "name") {
    return { ...message, succinct: first.type.name, arguments: [] };
  }
  const text = `\`${key}\` of a succinct method is one struct`;
  reporter.error("invalid-form", message.span, text);
  return { ...message, arguments: list };
}

function readArgument(reporter: Reporter, node: FormNode): Argument | null {
  const object = FormObject.read(reporter, node, "an argument", argumentKeys);
  const name = object?.requireText("name");
  const type = object && readType(reporter, object.requireText("type"));
  if (!object || !name || !type) return null;
  const isOptional = object.flag("optional");
  const { span } = object;
  return { kind: "argument", span, name: toName(name), isOptional, type };
}

/** `{ "auth": { "annotationType": "auth", "value": "a,b" } }`. */
function readAnnotations(reporter: Reporter, object: FormObject): Annotation[] {
  const node = object.get("annotations");
  if (node === undefined) return [];
  if (node.kind !== "map") {
    const message = `expected \`annotations\` as an object, got ${describe(node)}`;
    reporter.error("invalid-form", node.span, message);
    return [];
  }
  return [...node.entries.values()].flatMap(({ key, value }) => {
    const keys = ["annotationType", "value"];
    const entry = FormObject.read(reporter, value, "an annotation", keys);
    if (entry === null) return [];
    const text = entry.text("value");
    const span = { start: key.span.start, end: value.span.end };
    const annotation = {
      kind: "annotation",
      span,
      name: toName(key),
    } as const;
    const hasValue = text !== undefined && text.text !== "";
    return hasValue
      ? { ...annotation, value: toAnnotationValue(text) }
      : annotation;
  });
}
