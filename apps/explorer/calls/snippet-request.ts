import { type Entry, formOf, type Model, type Shape } from "./model.js";
import {
  type CallRequest,
  type Connection,
  type FormText,
  headerOf,
  partOf,
  prefixOf,
  sentUrl,
} from "./request.js";
import type { JsonNode } from "./json-text.js";

/** The input for a snippet. */
export interface SnippetInput {
  readonly model: Model;
  readonly entry: Entry;
  readonly message: JsonNode;
  readonly request: CallRequest;
  readonly connection: Connection;
  /** Whether to print the values of keys instead of environment variables. */
  readonly showsKeys: boolean;
}

/** Text in code, followed by the value of a variable. */
export interface SnippetText {
  readonly text: string;
  /** Name of the environment variable, or null if there is only text. */
  readonly variable: string | null;
}

/** A header in code. */
export interface SnippetHeader extends SnippetText {
  readonly name: string;
}

/** The parts of a call for languages without a generated client. */
export interface PlainCall {
  readonly verb: string;
  /** The parts of the address. Values of variables must be encoded. */
  readonly url: readonly SnippetText[];
  readonly headers: readonly SnippetHeader[];
  /** The JSON body, or null if there is none or it is a form. */
  readonly message: JsonNode | null;
  /** A form with files, or null if the body is not one. */
  readonly form: SnippetForm | null;
  /** Name of the file that is the body, or null. */
  readonly file: string | null;
  readonly answer: AnswerKind;
}

/** A form to send. */
export interface SnippetForm {
  readonly texts: readonly FormText[];
  readonly files: readonly SnippetFile[];
}

/** Decides everything about a call that does not depend on the language. */
export function planCall(input: SnippetInput): PlainCall {
  const { message, texts, verb } = input.request;
  return {
    verb,
    url: urlOf(input),
    headers: headersOf(input),
    message,
    form: texts && { texts, files: filesToSend(input) },
    file: texts ? null : (filesToSend(input)[0]?.name ?? null),
    answer: answerKindOf(input.model, input.entry),
  };
}

/** Variables stand for keys that are not shown. */
function urlOf({ request, showsKeys }: SnippetInput): readonly SnippetText[] {
  const { credentials, url } = request;
  const keys = credentials.filter(
    ({ credential }) => credential.place === "query",
  );
  if (showsKeys || keys.length === 0) {
    return [{ text: sentUrl(request), variable: null }];
  }
  return keys.map(({ credential: { name, parameter = "" } }, index) => {
    const start = index > 0 ? "&" : url + (url.includes("?") ? "&" : "?");
    return {
      text: `${start}${encodeURIComponent(parameter)}=`,
      variable: variableOf(name),
    };
  });
}

/** Whether a text contains the value of a variable. */
export function hasVariable(parts: readonly SnippetText[]): boolean {
  return parts.some(({ variable }) => variable !== null);
}

/**
 * Prints text in code. Input: functions that print a string literal and the value of
 * a variable, and the operator between both.
 */
export function printText(
  parts: readonly SnippetText[],
  quote: (text: string) => string,
  read: (variable: string) => string,
  plus = " + ",
): string {
  const values = parts.flatMap(({ text, variable }) => [
    text && quote(text),
    variable && read(variable),
  ]);
  return values.filter(Boolean).join(plus) || quote("");
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
      const name = headerOf(credential);
      if (name === null) return [];
      const text = prefixOf(credential);
      if (!showsKeys) {
        return { name, text, variable: variableOf(credential.name) };
      }
      return value === "" ? [] : { name, text: text + value, variable: null };
    },
  );
  return [...plain, ...keys];
}

/** Returns the name of a credential's variable, e.g. `ACCESS_KEY`. */
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
  /** Name of its part. */
  readonly part: string;
  readonly isList: boolean;
  /** Name of the file on the disk. */
  readonly name: string;
}

/**
 * Returns the files of a call: the files that the user chose, and a file with
 * an example name for each required field without one. Returns none if the body
 * is not a form.
 */
export function filesToSend({
  entry,
  model,
  request: { files },
}: SnippetInput): readonly SnippetFile[] {
  const fields = model.fieldsOf(entry.method.request);
  return fields.flatMap(({ isOptional, name: field, type }) => {
    const shape = model.shape(type);
    const isList = shape.kind === "list";
    if (!isFile(isList ? model.shape(shape.element) : shape)) return [];
    const part = partOf(model, entry, field);
    const names = files
      .filter(([name]) => name === part)
      .map(([, file]) => file.name);
    if (names.length === 0 && !isOptional) names.push(`${field}.bin`);
    return names.map((name) => ({ field, part, isList, name }));
  });
}

function isFile(shape: Shape): boolean {
  return formOf(shape) === "file";
}

/** The kind of body of a response. */
export type AnswerKind =
  | "file"
  /** No body: the status is 204 or 205. */
  | "none"
  | "json"
  /** JSON with integers that a double might not represent. */
  | "large-json"
  /** JSON, one value on each line. */
  | "stream"
  | "large-stream"
  /** Server-sent events with JSON. */
  | "events";

/** Returns the kind of body of a method's response. */
export function answerKindOf(model: Model, { method }: Entry): AnswerKind {
  const { status = 200 } = method.route;
  if (status === 204 || status === 205) return "none";
  const fields = model.fieldsOf(method.response);
  const shapes = fields.map(({ limits, type }) => model.shape(type, limits));
  if (shapes.some(isFile)) return "file";
  const isLarge = shapes.some((shape) => hasLarge(model, shape, new Set()));
  if (method.response?.isStream) {
    if (method.route.kind === "rest") return "events";
    return isLarge ? "large-stream" : "stream";
  }
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
    case "union":
      if (seen.has(shape.declaration)) return false;
      seen.add(shape.declaration);
      return shape.declaration.variants.some(({ type }) => inner(type));
    case "struct":
      if (seen.has(shape.fields)) return false;
      seen.add(shape.fields);
      return shape.fields.some(({ limits, type }) =>
        hasLarge(model, model.shape(type, limits), seen),
      );
  }
}

/** Whether a value is a 64-bit integer that can be outside ±(2^53-1). */
export function isLargeInteger({
  limits: { enum: listed, maximum, minimum },
  scalar: { name },
}: Shape & { kind: "scalar" }): boolean {
  if (name !== "int64" && name !== "uint64") return false;
  if (listed !== undefined)
    return !listed.every((value) => Number.isSafeInteger(Number(value)));
  const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
  const isBelow = maximum !== undefined && BigInt(maximum) <= maxSafe;
  const isAbove = minimum !== undefined && BigInt(minimum) >= -maxSafe;
  return !isBelow || (name === "int64" && !isAbove);
}
