import { bodyTooLarge } from "./body.js";
import { requiredOf } from "../model/credential-place.js";
import type { CorsOptions } from "../model/cors.js";
import { builtInErrors } from "../../wire/errors.js";
import type { ServerRequest } from "../model/exchange.js";
import { JsonFault } from "../../wire/json-reader.js";
import { readExactJson, readPlainJson } from "../../wire/read-json.js";
import type { RequestLimits } from "../model/body-pace.js";
import { readQuery } from "./query.js";
import { Refusal } from "../model/refusal.js";
import { withoutStack } from "./rejection.js";
import type {
  CredentialRule,
  MessageResult,
  ReadMessage,
  ServerMethod,
} from "../model/server-method.js";
import { isRecord } from "../../values/predicates.js";
import { keyOfValue } from "../../values/unique.js";
import {
  printFailures,
  type ReportOptions,
  validate,
} from "../../values/validation.js";

/** Returns the media type of the requests of a method, or `anyType`. */
export function contentTypeOf({ route, upload }: ServerMethod): string {
  if (route.kind === "rest") return route.mediaType ?? jsonType;
  return upload === undefined ? jsonType : "multipart/form-data";
}

/** The body is a file. */
const anyType = "*";
const jsonType = "application/json";

/** Returns the refusal of a body that the server cannot read, or null. */
export function refuseBody(
  method: ServerMethod,
  request: ServerRequest,
  cors: CorsOptions | undefined,
): Refusal | null {
  const refusal = refuseContentType(method, request, cors);
  if (refusal !== null) return refusal;
  const coding = request.header("content-encoding");
  if (coding === null || /^(?:identity)?$/iu.test(coding.trim())) return null;
  const cause = `content-encoding: expected identity, got ${JSON.stringify(coding)}`;
  return refusedAs(415, cause, { "accept-encoding": "identity" });
}

/**
 * Returns null if the body has the method's content type. Otherwise, returns a
 * refusal. Requests that need no body need no header either. Neither a missing
 * header nor a form is enough if a page of another origin may have sent it
 * without asking (`forgedBy`).
 */
function refuseContentType(
  method: ServerMethod,
  request: ServerRequest,
  cors: CorsOptions | undefined,
): Refusal | null {
  const contentType = request.header("content-type");
  const expected = contentTypeOf(method);
  // Pages of other origins must ask before they send any type of JSON.
  if (!expected.endsWith("json")) {
    const forged = forgedBy(method, request, cors);
    if (forged !== null) return refused(forged);
    if (expected === anyType) return null;
  }
  if (contentType === expected) return null;
  if (
    contentType === null &&
    needsNoBody(method) &&
    forgedBy(method, request, cors) === null
  ) {
    return null;
  }
  const [type, ...parameters] = contentType?.split(";") ?? [];
  // Several headers are joined by commas, and only quoted texts can contain one.
  const isOne = !parameters
    .join("")
    .replace(/"[^"]*"/gu, "")
    .includes(",");
  if (isOne && type?.trim().toLowerCase() === expected) return null;
  return unsupportedContentType(contentType, expected);
}

/**
 * Whether a request can lack a body. For a REST method, that means that the body
 * has no fields.
 */
function needsNoBody({ checkRequest, route }: ServerMethod): boolean {
  return checkRequest === null || route.kind === "rest";
}

/**
 * Returns what shows that a page of another origin can have sent a form, or a
 * request without a content type, with cookies, before it asked for permission.
 * That is a POST without a header that browsers never add on their own, from an
 * origin that is not listed. Null for other requests. Source: Fetch Standard,
 * sections 2.2.1 and 4.9.
 */
function forgedBy(
  { alternatives, credentials, route, upload }: ServerMethod,
  request: ServerRequest,
  cors: CorsOptions | undefined,
): string | null {
  const site = siteOf(request);
  // These pages can send JSON instead.
  if (site === null || (route.kind !== "rest" && upload === undefined)) {
    return site;
  }
  const origin = request.header("origin");
  const { origins = [] } = cors ?? {};
  const isForged =
    request.method === "POST" &&
    !requiredOf(credentials, alternatives, (name) => request.header(name)).some(
      isExplicit,
    ) &&
    (origin === null || origins === "*" || !origins.includes(origin));
  return isForged ? site : null;
}

/** Returns what shows that a page of another origin sent a request, or null. */
function siteOf(request: ServerRequest): string | null {
  const site = request.header("sec-fetch-site");
  if (site !== null) {
    const isOther = site === "cross-site" || site === "same-site";
    return isOther ? `sec-fetch-site: expected same-origin, got ${site}` : null;
  }
  // Browsers leave that header out without TLS, and older ones always.
  const origin = request.header("origin");
  if (origin === null || isOwn(origin, request)) return null;
  return "origin: expected that of the server or one in `cors.origins`";
}

/**
 * Whether an origin has the host that the browser sent the request to. A proxy
 * can replace the host and pass the original one in a header, which pages of
 * other origins cannot set without permission.
 */
function isOwn(origin: string, request: ServerRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  return [request.header("host"), request.header("x-forwarded-host")].some(
    (hosts) =>
      hosts?.split(",").some((each) => {
        const url = `${protocol}//${each.trim()}`;
        return URL.canParse(url) && new URL(url).host === host;
      }),
  );
}

/** Whether only a page's script can send a credential, and not the browser. */
function isExplicit({ header, scheme }: CredentialRule): boolean {
  const name = header.toLowerCase();
  if (name === "authorization") return scheme?.toLowerCase() === "bearer";
  return name !== "cookie" && !name.startsWith("sec-");
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
  { body: { maxBytes }, maxDepth }: RequestLimits,
): MessageResult {
  const place = "query parameter request";
  const pairs = readQuery(target);
  if (pairs instanceof Refusal) return pairs;
  const [text, ...others] = pairs.flatMap(([name, value]) =>
    name === "request" ? [value] : [],
  );
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
 * Requests can contain null in place of an absent field, integers in place of
 * some strings, and fields that the handler must not see.
 */
const asRequest: ReportOptions = {
  dropsNulls: true,
  dropsUnknown: true,
  isRequest: true,
};

/** Returns the message for the handler, or a refusal if it is invalid. */
export function toHandlerForm(
  method: ServerMethod,
  message: unknown,
): MessageResult {
  // Before the check, which removes fields that this version does not know.
  const sent =
    method.idempotencyKey === undefined ? undefined : keyOfValue(message);
  if (method.checkRequest === null) return { ...emptyMessage(), sent };
  const failures = validate(method.checkRequest, message, asRequest);
  if (failures.length > 0) {
    const cause = printFailures(failures);
    const { skew, validationError } = method;
    const received = skew && message;
    return new Refusal(validationError, cause, failures, undefined, received);
  }
  return method.decodeRequest === undefined
    ? { message, sent }
    : { message: method.decodeRequest(message), sent };
}

/** Creates the message of a request without fields. Handlers may change it. */
function emptyMessage(): ReadMessage {
  return { message: {} };
}

/** Parses JSON. Returns its value or a refusal. */
export function parseMessage(
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

/** Returns the refusal of a body of another media type, or of none. */
export function unsupportedContentType(
  contentType: string | null,
  expected: string = jsonType,
): Refusal {
  const got = contentType === null ? "nothing" : JSON.stringify(contentType);
  return refusedAs(415, `content-type: expected ${expected}, got ${got}`);
}

/** Returns the refusal of a body that is not an object. */
export function noObject(place: string, value: unknown): Refusal {
  return refused(`${place}: expected a JSON object, got ${nameOf(value)}`);
}

function refused(cause: string): Refusal {
  return refusedAs(400, cause);
}

/** Clients recognize the error by its name and code, whatever its status is. */
function refusedAs(
  status: number,
  cause: string,
  headers?: Readonly<Record<string, string>>,
): Refusal {
  const definition = { ...builtInErrors.WebrpcBadRequest, status };
  return new Refusal(definition, cause, undefined, headers);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
