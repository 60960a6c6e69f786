import { bodyTooLarge } from "./body.js";
import { builtInErrors } from "../../wire/errors.js";
import type { ServerRequest } from "../model/exchange.js";
import { JsonFault } from "../../wire/json-reader.js";
import { parseJson } from "../../wire/json.js";
import { readExactJson, readPlainJson } from "../../wire/read-json.js";
import { readForm } from "./form-message.js";
import type { Limits } from "../model/limits.js";
import { decodeSegment } from "../model/parameters.js";
import { Refusal } from "../model/refusal.js";
import { withoutStack } from "./rejection.js";
import type { ServerMethod, UploadFields } from "../model/server-method.js";
import { isRecord } from "../../values/predicates.js";
import {
  printFailures,
  type ReportOptions,
  validate,
} from "../../values/validation.js";

/** A request message, or the reason why there is none. */
export type MessageResult = Refusal | { readonly message: unknown };

/**
 * Returns null if the body is declared as JSON, or, for a method with files, as
 * a form. Otherwise, returns a refusal. Methods without request fields need no
 * body, so the header may be missing. However, a page from another origin must
 * send it, because browsers send simple requests with cookies and no preflight.
 */
export function refuseContentType(
  method: ServerMethod,
  request: ServerRequest,
): Refusal | null {
  const contentType = request.header("content-type");
  const expected =
    method.upload === undefined ? "application/json" : "multipart/form-data";
  if (contentType === expected) return null;
  if (contentType === null && method.checkRequest === null) {
    const site = request.header("sec-fetch-site");
    if (site !== "cross-site" && site !== "same-site") return null;
  }
  const semicolon = contentType?.indexOf(";") ?? -1;
  const type =
    semicolon === -1 ? contentType : contentType?.slice(0, semicolon);
  if (type?.trim().toLowerCase() === expected) return null;
  return unsupportedContentType(contentType, expected);
}

/**
 * Reads the request message of a POST from its body.
 *
 * Returns the message in the handler's form, or a refusal. The refusal is
 * `WebrpcBadRequest` if the body is not a JSON object or has no content type,
 * or the method's validation error if its fields are invalid.
 */
export function readBodyMessage(
  method: ServerMethod,
  request: ServerRequest,
  text: string,
  maxDepth: number,
): MessageResult {
  if (method.checkRequest === null) {
    if (text === "") return emptyMessage();
    const contentType = request.header("content-type");
    if (contentType === null) return unsupportedContentType(contentType);
  }
  return readMessage(method, "body", text, maxDepth);
}

/**
 * Reads the request message of a GET to a read-only method from the `request`
 * query parameter, which contains JSON. Methods without request fields do not
 * need it.
 *
 * Returns the same as `readBodyMessage`. Errors: `WebrpcBadRequest` if the JSON
 * is longer than a body may be.
 */
export function readQueryMessage(
  method: ServerMethod,
  { target }: ServerRequest,
  { body: { maxBytes }, maxDepth }: Limits,
): MessageResult {
  const place = "query parameter request";
  const [text, ...others] = queryValues(target, "request");
  if (text === undefined) {
    if (method.checkRequest === null) return emptyMessage();
    return refused(`${place}: expected a JSON object, got nothing`);
  }
  if (others.length > 0) {
    const count = String(others.length + 1);
    return refused(`${place}: expected one, got ${count}`);
  }
  if (text === null) return refused(`${place}: invalid percent-encoding`);
  const { byteLength } = new TextEncoder().encode(text);
  if (byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  return readMessage(method, place, text, maxDepth);
}

/**
 * Returns the values of a query parameter. A value is null if its
 * percent-encoding is invalid.
 */
function queryValues(target: string, name: string): (string | null)[] {
  const [, query = ""] = /\?([^#]*)/u.exec(target) ?? [];
  return query
    .split("&")
    .map((pair) => pair.split(/=(.*)/su).map(decodeQuery))
    .filter(([key]) => key === name)
    .map(([, value = ""]) => value);
}

/**
 * Decodes part of a query. Unlike `URLSearchParams`, returns null for bytes
 * that are not UTF-8.
 */
function decodeQuery(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/**
 * Reads the request message of a POST with files.
 *
 * Errors: any error from reading the form.
 */
export async function readFormMessage(
  method: ServerMethod,
  upload: UploadFields,
  request: ServerRequest,
  limits: Limits,
): Promise<MessageResult> {
  const { files, json } = await readForm(request, upload, limits);
  const place = "part json";
  const parsed = parseMessage(method, place, json, limits.maxDepth);
  if (parsed instanceof Refusal) return parsed;
  const { message } = parsed;
  // webrpc clients can send null if all fields are files.
  if (!isRecord(message) && message !== null) return noObject(place, message);
  const { fileLists = [], files: names = [] } = upload;
  const others = Object.entries(message ?? {}).filter(
    ([name]) => ![...names, ...fileLists].includes(name),
  );
  const all = { ...Object.fromEntries(others), ...files };
  return toHandlerForm(method, all);
}

/**
 * Converts JSON from a `place` to a message in the handler's form, or to a
 * refusal.
 */
function readMessage(
  method: ServerMethod,
  place: string,
  text: string,
  maxDepth: number,
): MessageResult {
  const parsed = parseMessage(method, place, text, maxDepth);
  if (parsed instanceof Refusal) return parsed;
  const { message } = parsed;
  if (isRecord(message)) return toHandlerForm(method, message);
  if (message === null && method.checkRequest === null) return emptyMessage();
  return noObject(place, message);
}

/**
 * Creates the request message from the parameters of a REST path.
 *
 * Input: the encoded values in the order of `names`. Returns the message in the
 * handler's form, or a refusal: the method's validation error if a value is
 * invalid. Errors: `WebrpcBadRoute` for invalid percent-encoding.
 */
export function readPathMessage(
  method: ServerMethod,
  names: readonly string[],
  values: readonly string[],
): MessageResult {
  const { route } = method;
  const lists = route.kind === "rest" ? (route.lists ?? []) : [];
  const json = route.kind === "rest" ? (route.json ?? []) : [];
  const fields = names.map((name, index): [string, unknown] => {
    const read = (text: string): unknown =>
      json.includes(name) ? readScalar(method, text) : text;
    const value = decodeSegment(values[index] ?? "");
    // Decode the value before splitting it, because many clients also encode
    // commas.
    return [
      name,
      lists.includes(name) ? value.split(",").map(read) : read(value),
    ];
  });
  return toHandlerForm(method, Object.fromEntries(fields));
}

/**
 * Requests can contain null in place of an absent field, integers in place of
 * some strings, and fields that the handler must not see.
 */
const asRequest: ReportOptions = {
  dropsNulls: true,
  dropsUnknown: true,
  isRequest: true,
};

/** Returns the message for the handler, or a refusal if it is invalid. */
function toHandlerForm(method: ServerMethod, message: unknown): MessageResult {
  if (method.checkRequest === null) return emptyMessage();
  const failures = validate(method.checkRequest, message, asRequest);
  if (failures.length > 0) {
    const cause = printFailures(failures);
    return new Refusal(method.validationError, cause, failures);
  }
  return method.decodeRequest === undefined
    ? { message }
    : { message: method.decodeRequest(message) };
}

/** Creates the message of a request without fields. Handlers may change it. */
function emptyMessage(): MessageResult {
  return { message: {} };
}

/** Parses JSON. Returns its value or a refusal. */
function parseMessage(
  { isExact }: ServerMethod,
  place: string,
  text: string,
  maxDepth: number,
): MessageResult {
  const read = isExact ? readExactJson : readPlainJson;
  const message = withoutStack(() => read(text, maxDepth));
  if (!(message instanceof JsonFault)) return { message };
  return refused(`${place} is not JSON: ${message.message}`);
}

function readScalar({ isExact }: ServerMethod, text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/u.test(text);
  if (!isNumber) return text;
  return isExact ? parseJson(text) : Number(text);
}

function unsupportedContentType(
  contentType: string | null,
  expected = "application/json",
): Refusal {
  const got = contentType === null ? "nothing" : JSON.stringify(contentType);
  return refused(`content-type: expected ${expected}, got ${got}`);
}

function noObject(place: string, value: unknown): Refusal {
  return refused(`${place}: expected a JSON object, got ${nameOf(value)}`);
}

function refused(cause: string): Refusal {
  return new Refusal(builtInErrors.WebrpcBadRequest, cause);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
