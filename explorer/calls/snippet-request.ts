import type { Entry, Model, Shape } from "./model.js";
import { type CallRequest, type Connection, prefixOf } from "./request.js";
import type { JsonNode } from "./json-text.js";

/** What a snippet shows. */
export interface SnippetInput {
  readonly model: Model;
  readonly entry: Entry;
  readonly message: JsonNode;
  readonly request: CallRequest;
  readonly connection: Connection;
  /** Whether keys are written out; else they are environment variables. */
  readonly showsKeys: boolean;
}

/** A header as code: a text, and a variable whose value follows it. */
export interface SnippetHeader {
  readonly name: string;
  readonly text: string;
  /** Name of the environment variable; null: the text is all. */
  readonly variable: string | null;
}

/** What languages without a generated client have to write. */
export interface PlainCall {
  readonly verb: string;
  readonly url: string;
  readonly headers: readonly SnippetHeader[];
  /** The body; null: there is none, or it is a form. */
  readonly message: JsonNode | null;
  /** A form with a message and files; null: it is none. */
  readonly form: SnippetForm | null;
  readonly answer: AnswerKind;
}

/** A form to send. */
export interface SnippetForm {
  readonly message: JsonNode;
  readonly files: readonly SnippetFile[];
}

/** Decides everything about a call that does not depend on the language. */
export function planCall(input: SnippetInput): PlainCall {
  const { files, message, url, verb } = input.request;
  const isForm = files !== null && message !== null;
  return {
    verb,
    url,
    headers: headersOf(input),
    message: isForm ? null : message,
    form: isForm ? { message, files: filesToSend(input) } : null,
    answer: answerKindOf(input.model, input.entry),
  };
}

function headersOf({
  request,
  showsKeys,
}: SnippetInput): readonly SnippetHeader[] {
  const plain = request.headers.map(([name, text]) => ({
    name,
    text,
    variable: null,
  }));
  const keys = request.credentials.flatMap(
    ({ credential, value }): SnippetHeader | readonly [] => {
      const name = credential.header;
      const text = prefixOf(credential);
      if (!showsKeys) {
        return { name, text, variable: variableOf(credential.name) };
      }
      return value === "" ? [] : { name, text: text + value, variable: null };
    },
  );
  return [...plain, ...keys];
}

/** Name of the variable of a credential, e.g. `ACCESS_KEY`. */
export function variableOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replace(/[^A-Za-z0-9]+/gu, "_")
    .toUpperCase();
  return /^[A-Z]/u.test(words) ? words : `KEY_${words}`;
}

/** A file to send. */
export interface SnippetFile {
  readonly field: string;
  readonly isList: boolean;
  /** Name of the file on the disk. */
  readonly name: string;
}

/**
 * The files of a call: those that were chosen, and one of an invented name for
 * each field that has to have one. Empty for calls that are no form.
 */
export function filesToSend({
  entry,
  model,
  request: { files },
}: SnippetInput): readonly SnippetFile[] {
  if (files === null) return [];
  const fields = model.fieldsOf(entry.method.request);
  return fields.flatMap(({ isOptional, name: field, type }) => {
    const shape = model.shape(type);
    const isList = shape.kind === "list";
    if (!isFile(isList ? model.shape(shape.element) : shape)) return [];
    const names = files
      .filter(([name]) => name === field)
      .map(([, file]) => file.name);
    if (names.length === 0 && !isOptional) names.push(`${field}.bin`);
    return names.map((name) => ({ field, isList, name }));
  });
}

function isFile(shape: Shape): boolean {
  return shape.kind === "scalar" && shape.name === "file";
}

/** What the body of an answer is. */
export type AnswerKind =
  | "file"
  | "json"
  /** JSON with integers that a double may not hold. */
  | "large-json"
  /** JSON, one value a line. */
  | "stream"
  | "large-stream";

/** What answers of a method are. */
export function answerKindOf(model: Model, { method }: Entry): AnswerKind {
  const fields = model.fieldsOf(method.response);
  const shapes = fields.map(({ limits, type }) => model.shape(type, limits));
  if (shapes.some(isFile)) return "file";
  const isLarge = shapes.some((shape) => hasLarge(model, shape, new Set()));
  if (method.response?.isStream) return isLarge ? "large-stream" : "stream";
  return isLarge ? "large-json" : "json";
}

function hasLarge(model: Model, shape: Shape, seen: Set<unknown>): boolean {
  const inner = (type: Parameters<Model["shape"]>[0]): boolean =>
    hasLarge(model, model.shape(type), seen);
  switch (shape.kind) {
    case "bytes":
    case "enum":
      return false;
    case "scalar":
      return isLargeInteger(shape);
    case "list":
      return inner(shape.element);
    case "map":
      return inner(shape.value);
    case "struct":
      if (seen.has(shape.fields)) return false;
      seen.add(shape.fields);
      return shape.fields.some(({ limits, type }) =>
        hasLarge(model, model.shape(type, limits), seen),
      );
  }
}

/** Whether a value is an integer of 64 bits that no limit keeps within a double. */
export function isLargeInteger({
  limits: { maximum, minimum },
  name,
}: Shape & { kind: "scalar" }): boolean {
  if (name !== "int64" && name !== "uint64") return false;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  const isBelow = maximum !== undefined && BigInt(maximum) <= most;
  const isAbove = minimum !== undefined && BigInt(minimum) >= -most;
  return !isBelow || (name === "int64" && !isAbove);
}
