import { type Failure, printFailures } from "../../values/validation.js";
import { isRecord } from "../../values/predicates.js";
import type { ServerRequest } from "../model/exchange.js";
import type { Limits } from "../model/limits.js";
import { decodeSegment } from "../model/parameters.js";
import { Refusal } from "../model/refusal.js";
import type {
  FormBody,
  RestRoute,
  ServerMethod,
} from "../model/server-method.js";
import { bodyTooLarge } from "./body.js";
import { type FormPair, readFormFields } from "./form-fields.js";
import { readFormPairs } from "./form-message.js";
import {
  notUtf8,
  readPairs,
  readQuery,
  readScalar,
  type Pair,
  severalValues,
} from "./query.js";
import {
  contentTypeOf,
  type MessageResult,
  noObject,
  parseMessage,
  toHandlerForm,
  unsupportedContentType,
} from "./request-message.js";

/** A REST method, and the values in the path of a request. */
export interface RestCall {
  readonly row: ServerMethod;
  readonly route: RestRoute;
  /** Path parameters in the order of the path. */
  readonly names: readonly string[];
  /** Their values, still percent-encoded. */
  readonly values: readonly string[];
  readonly limits: Limits;
}

/**
 * Creates the request message of a REST method from the path, the query, and
 * the body.
 *
 * Returns the message in the handler's form, or a refusal: `WebrpcBadRequest` if
 * the body is not JSON, or the method's validation error if a value is invalid.
 * Errors: `WebrpcBadRoute` for invalid percent-encoding in the path, and for
 * values that are only dots. Any error from reading the body.
 */
export function readRestMessage(
  call: RestCall,
  request: ServerRequest,
): MessageResult | Promise<MessageResult> {
  const bound = readHead(call, request);
  if (bound instanceof Refusal) return bound;
  const { limits, route, row } = call;
  if (route.requestBody === undefined) {
    return toHandlerForm(row, Object.fromEntries(bound));
  }
  const { form } = route;
  // A form without parts can also be an empty body without a content type.
  const isParts =
    row.upload !== undefined && request.header("content-type") !== null;
  if (form !== undefined && row.upload !== undefined && isParts) {
    const isKnown = (name: string): boolean =>
      form.extra !== undefined || Object.hasOwn(form.fields, name);
    return readFormPairs(request, row.upload, limits, isKnown).then((pairs) =>
      withPairs(call, form, bound, pairs),
    );
  }
  return request
    .text(limits.body, row.isExact === true)
    .then((text) => withBody(call, request, bound, text));
}

type Fields = ReadonlyMap<string, unknown>;

function withBody(
  call: RestCall,
  request: ServerRequest,
  bound: Fields,
  text: string,
): MessageResult {
  const { limits, route, row } = call;
  const { form, requestBody } = route;
  const contentType = request.header("content-type");
  if (contentType === null && text !== "") {
    return unsupportedContentType(contentType, contentTypeOf(row));
  }
  if (form !== undefined) {
    const pairs = readPairs("body", text);
    return pairs instanceof Refusal
      ? pairs
      : withPairs(call, form, bound, pairs);
  }
  // A body without required fields may be absent.
  if (text === "") return withBound(call, bound, {});
  const parsed = parseMessage(row, "body", text, limits.maxDepth);
  if (parsed instanceof Refusal) return parsed;
  const { message } = parsed;
  if (typeof requestBody === "string") {
    return withBound(call, bound, { [requestBody]: message });
  }
  return isRecord(message)
    ? withBound(call, bound, message)
    : noObject("body", message);
}

/** Adds the fields in a form to those in other parts of the request. */
function withPairs(
  call: RestCall,
  form: FormBody,
  bound: Fields,
  pairs: readonly FormPair[],
): MessageResult {
  const { limits, route, row } = call;
  const { requestBody } = route;
  const whole = typeof requestBody === "string" ? requestBody : null;
  const read = readFormFields(row, form, whole, pairs, limits.maxDepth);
  return read instanceof Refusal ? read : withBound(call, bound, read);
}

/** Adds the members of a body. They cannot replace a field that is elsewhere. */
function withBound(
  { names, route, row }: RestCall,
  bound: Fields,
  body: object,
): MessageResult {
  const { headers = {}, query = {} } = route;
  const elsewhere = new Set([
    ...names,
    ...Object.values(query),
    ...Object.values(headers),
  ]);
  const others = Object.entries(body).filter(([name]) => !elsewhere.has(name));
  return toHandlerForm(row, Object.fromEntries([...others, ...bound]));
}

/** Returns the fields in the path, the query and headers. */
function readHead(
  { limits, names, route, row, values }: RestCall,
  request: ServerRequest,
): Fields | Refusal {
  const { target } = request;
  const fields = new Map<string, unknown>();
  names.forEach((name, index) => {
    const value = decodeSegment(values[index] ?? "");
    // Decode the value before splitting it, because many clients also encode
    // commas.
    const texts = route.lists?.includes(name) ? value.split(",") : value;
    fields.set(name, readTexts(row, route, name, texts));
  });
  if (route.headers !== undefined) addHeaders(row, route, request, fields);
  if (route.query === undefined) return fields;
  if (target.length > limits.body.maxBytes) {
    throw bodyTooLarge(limits.body.maxBytes);
  }
  const pairs = readQuery(target);
  if (pairs instanceof Refusal) return pairs;
  const failures = addQuery(row, route, pairs, fields);
  if (failures.length === 0) return fields;
  return new Refusal(row.validationError, printFailures(failures), failures);
}

/** Adds the fields in headers. */
function addHeaders(
  row: ServerMethod,
  route: RestRoute,
  request: ServerRequest,
  fields: Map<string, unknown>,
): void {
  const { emptyLists = [], headers = {}, lists = [] } = route;
  for (const [name, field] of Object.entries(headers)) {
    const text = request.header(name)?.trim() ?? null;
    const isList = lists.includes(field);
    if (isList && (text === null || text === "")) {
      if (text === "" || emptyLists.includes(field)) fields.set(field, []);
    } else if (text !== null) {
      const texts = isList ? text.split(",").map((item) => item.trim()) : text;
      fields.set(field, readTexts(row, route, field, texts));
    }
  }
}

/** Adds the fields in a query, and returns the failures of pairs. */
function addQuery(
  row: ServerMethod,
  route: RestRoute,
  pairs: readonly Pair[],
  fields: Map<string, unknown>,
): readonly Failure[] {
  const { emptyLists = [], joined = [], lists = [], query = {} } = route;
  const given = new Map<string | null, (string | null)[]>();
  for (const [name, value] of pairs) {
    const known = given.get(name);
    if (known === undefined) given.set(name, [value]);
    else known.push(value);
  }
  return Object.entries(query).flatMap(([name, field]): readonly Failure[] => {
    const found = given.get(name) ?? [];
    const texts = found.flatMap((text) =>
      text !== null && joined.includes(name) ? text.split(",") : (text ?? []),
    );
    const isList = lists.includes(field);
    if (found.includes(null)) return [{ path: [field], ...notUtf8 }];
    if (!isList && texts.length > 1) {
      return [{ path: [field], ...severalValues(texts.length) }];
    }
    const [text] = texts;
    if (text !== undefined) {
      fields.set(field, readTexts(row, route, field, isList ? texts : text));
    } else if (emptyLists.includes(field)) fields.set(field, []);
    return [];
  });
}

/** Converts the text of a field, or of the items of a list, to its JSON form. */
function readTexts(
  row: ServerMethod,
  { json = [] }: RestRoute,
  field: string,
  texts: string | readonly string[],
): unknown {
  if (!json.includes(field)) return texts;
  return typeof texts === "string"
    ? readScalar(texts, row.isExact)
    : texts.map((text) => readScalar(text, row.isExact));
}
