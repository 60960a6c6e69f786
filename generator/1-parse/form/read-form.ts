import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import type {
  Document,
  ErrorDeclaration,
  Header,
  Item,
  Annotation,
  Argument,
  Message,
  Method,
  ServiceDeclaration,
} from "../ast.js";
import {
  FormObject,
  isWord,
  toLiteral,
  toName,
  toAnnotationValue,
} from "./form-object.js";
import { Reporter } from "../reporter.js";
import {
  readMetadata,
  readType,
  readTypeDeclaration,
  typeKeys,
} from "./read-types.js";
import { readYaml } from "./read-yaml.js";

const headerKeys = ["webrpc", "name", "version", "basepath"];
const documentKeys = [...headerKeys, "types", "errors", "services"];
const errorKeys = ["code", "name", "message", "httpStatus"];

/** Parses webrpc's JSON form of a schema, in JSON or YAML. */
export function readForm(source: Source): Diagnosed<Document> {
  const reporter = new Reporter(source);
  const node = readYaml(reporter);
  const object =
    node && FormObject.read(reporter, node, "the schema", documentKeys);
  const items = object === null ? [] : readItems(object);
  const value = { kind: "document", source, items, comments: [] } as const;
  return { value, diagnostics: reporter.diagnostics };
}

function readItems(object: FormObject): Item[] {
  return [
    ...headerKeys.flatMap((key) => readHeader(object, key)),
    ...object.objects("types", "a type", typeKeys, readTypeDeclaration),
    ...object.objects("errors", "an error", errorKeys, readError),
    ...object.objects("services", "a service", serviceKeys, readService),
  ];
}

/** Reads a header. webrpc's own output leaves unset headers empty. */
function readHeader(object: FormObject, key: string): Header[] {
  const value = object.text(key);
  if (value === undefined || value.text === "") return [];
  const { span } = value;
  const word = { text: key, span, isQuoted: false };
  return [
    { kind: "header", span, docs: [], key: word, value: toLiteral(value) },
  ];
}

function readError(object: FormObject): ErrorDeclaration | null {
  const code = object.requireText("code");
  const name = object.requireText("name");
  const message = object.requireText("message");
  if (!code || !name || !message) return null;
  const status = object.text("httpStatus");
  const hasStatus = status !== undefined && status.text !== "0";
  return {
    kind: "error",
    span: object.span,
    docs: [],
    annotations: [],
    code: toName(code),
    name: toName(name),
    message: { ...toName(message), isQuoted: true },
    ...(hasStatus && { status: toName(status) }),
  };
}

/** The keys of an entry of `services`. */
const serviceKeys = ["name", "methods", "comments"];
const methodKeys = [
  ...["name", "annotations", "comments", "succinct", "streamInput"],
  ...["streamOutput", "inputs", "outputs", "errors"],
];
const argumentKeys = ["name", "type", "optional", "meta"];

/** Reads one entry of `services`. Returns null after a diagnostic. */
function readService(object: FormObject): ServiceDeclaration | null {
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
  const absent = ["annotations", "comments"].filter(
    (key) => object.get(key) === undefined,
  );
  return {
    ...method,
    ...(errors.length > 0 && { errors }),
    ...(absent.length > 0 && { absent }),
  };
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
  return {
    kind: "argument",
    span: object.span,
    name: toName(name),
    isOptional: object.flag("optional"),
    type,
    metadata: readMetadata(object),
  };
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
    const { reporter } = object;
    if (entry === null || !isWord(key, "the name of an annotation", reporter)) {
      return [];
    }
    const text = entry.text("value");
    return {
      kind: "annotation",
      span: { start: key.span.start, end: value.span.end },
      name: toName(key),
      ...(text && text.text !== "" && { value: toAnnotationValue(text) }),
    };
  });
}
