import type { Annotation, Method, Word } from "../../1-parse/ast.js";
import {
  verbs,
  type Verb,
  type HeaderField,
  type QueryParameter,
} from "../../ir/contract.js";
import {
  type PathTemplate,
  parsePathTemplate,
} from "../../ir/path-template.js";
import type { Span } from "../../source/source.js";
import { findAnnotation } from "./annotations.js";

/** A part of the text of `@get` or `@http`, with its place. */
export interface BindingPart {
  readonly text: string;
  readonly span: Span;
}

/** A part of a query. `parameter` is null if the text is not valid. */
export interface QueryPart extends BindingPart {
  readonly parameter: QueryParameter | null;
}

/**
 * A part of `@requestHeaders` or `@responseHeaders`. `header` is null if the text
 * is not valid.
 */
export interface HeaderPart extends BindingPart {
  readonly header: HeaderField | null;
}

/** A status in `@http`, such as `201`, `200={order}` or `202=empty`. */
export interface StatusPart extends BindingPart {
  /** The status, or null if the text is not valid. */
  readonly status: number | null;
  /** Name of the field that is the body, or null if there is none. */
  readonly field: string | null;
  /** Whether it has `=`, and so says what its body is. */
  readonly isExplicit: boolean;
}

/** The address of a REST method, as written in `@get` or `@http`. */
export interface RestBinding {
  readonly annotation: Annotation;
  /** The text of the annotation. */
  readonly place: Word;
  /** The verb as written. Null for `@get`. */
  readonly verb: BindingPart | null;
  /** The path as written. Null if there is none. */
  readonly pathPart: BindingPart | null;
  readonly path: PathTemplate;
  readonly query: readonly QueryPart[];
  readonly headers: readonly HeaderPart[];
  readonly responseHeaders: readonly HeaderPart[];
  readonly statuses: readonly StatusPart[];
}

/**
 * Reads `@http:"VERB /path?query STATUS"` or `@get:"/path?query"`. Returns null
 * for a method without them, and for a bare `@get`. Checks nothing.
 */
export function bindingOf(method: Method): RestBinding | null {
  const http = findAnnotation(method, "http");
  const annotation = http ?? findAnnotation(method, "get");
  const place = annotation?.value;
  if (annotation === undefined || place === undefined) return null;
  const words = [...place.text.matchAll(/\S+/gu)].map(({ 0: text, index }) =>
    partOf(place, text, index),
  );
  // `@get` has no verb and no status, so its path is the whole text.
  const [verb = null, target = null, ...statuses] =
    http === undefined ? [null, partOf(place, place.text, 0)] : words;
  const [pathText = ""] = target?.text.split("?", 1) ?? [];
  const queryText = target?.text.slice(pathText.length + 1) ?? "";
  const hasQuery = target !== null && target.text.length > pathText.length;
  return {
    annotation,
    place,
    verb,
    pathPart: target && partOf(place, pathText, target.offset),
    path: parsePathTemplate(pathText),
    query: hasQuery
      ? queryParts(place, queryText, target.offset + pathText.length + 1)
      : [],
    headers: headerParts(method, "requestHeaders"),
    responseHeaders: headerParts(method, "responseHeaders"),
    statuses: statuses.flatMap((part) => (part ? parseStatus(part) : [])),
  };
}

/** Returns the verb of a binding. A wrong one, which is reported, is a POST. */
export function verbOf({ verb }: RestBinding): Verb {
  if (verb === null) return "GET";
  return verbs.find((each) => each === verb.text) ?? "POST";
}

/**
 * Returns the first status of a success, by default 200. A wrong one, which is
 * reported, is a 200.
 */
export function statusOf({ statuses: [first] }: RestBinding): number {
  return first?.status ?? 200;
}

/** Whether a binding says what the body of each status is. */
export function hasStatuses({ statuses }: RestBinding): boolean {
  return statuses.length > 1 || statuses.some(({ isExplicit }) => isExplicit);
}

function parseStatus(part: BindingPart): StatusPart {
  const [match, status, content, field = null] =
    /^(2\d\d)(=(?:\{([^\s{},]+)\}|empty))?$/u.exec(part.text) ?? [];
  return {
    ...part,
    status: match === undefined ? null : Number(status),
    field,
    isExplicit: content !== undefined,
  };
}

/** Returns the valid parts of a query. */
export function parametersOf({
  query,
}: RestBinding): readonly QueryParameter[] {
  return query.flatMap(({ parameter }) => parameter ?? []);
}

/** Returns the valid parts of `@requestHeaders` or `@responseHeaders`. */
export function validHeaders(
  parts: readonly HeaderPart[],
): readonly HeaderField[] {
  return parts.flatMap(({ header }) => header ?? []);
}

/** Reads headers such as `If-Match={revision}, language`. */
function headerParts(method: Method, name: string): readonly HeaderPart[] {
  const place = findAnnotation(method, name)?.value;
  if (place === undefined) return [];
  let offset = 0;
  return place.text.split(",").map((written) => {
    const text = written.trim();
    const part = partOf(place, text, offset + written.indexOf(text));
    offset += written.length + 1;
    const [match, name = "", field = name] = headerPattern.exec(text) ?? [];
    return { ...part, header: match === undefined ? null : { name, field } };
  });
}

/** Whether a field can be in a header with this name. */
export function isHeaderName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]*$/u.test(name);
}

const headerPattern = /^([A-Za-z0-9][\w.-]*)(?:=\{([^\s{},]+)\})?$/u;

interface OffsetPart extends BindingPart {
  readonly offset: number;
}

/** Returns a part of a value. If it has escapes, the place is all of it. */
function partOf(place: Word, text: string, offset: number): OffsetPart {
  const quote = place.isQuoted ? 1 : 0;
  const { start, end } = place.span;
  const isWhole =
    text === place.text ||
    text === "" ||
    end - start - 2 * quote !== place.text.length;
  const from = start + quote + offset;
  const span = isWhole ? place.span : { start: from, end: from + text.length };
  return { text, span, offset };
}

function queryParts(
  place: Word,
  query: string,
  start: number,
): readonly QueryPart[] {
  let offset = start;
  return query.split("&").map((text) => {
    const part = partOf(place, text, offset);
    offset += text.length + 1;
    return { ...part, parameter: parseParameter(text) };
  });
}

/** Text of a query that stands for itself, without percent-encoding. */
const plain = '[^\\s&=#?{}"%+]';

const parameterPattern = new RegExp(
  `^(${plain}+)(?:=(?:\\{([^\\s{}]+?)(,?)\\}|(${plain}*)))?$`,
  "u",
);

function parseParameter(text: string): QueryParameter | null {
  const [match, name = "", field, comma, value] =
    parameterPattern.exec(text) ?? [];
  if (match === undefined) return null;
  if (value !== undefined) return { kind: "fixed", name, value };
  return { kind: "field", name, field: field ?? name, isJoined: comma === "," };
}

/** Headers that browsers do not let pages set (Fetch Standard, section 2.2.2). */
const browsers =
  /^(?:accept-(?:charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via)$/u;

/** Headers that generated clients and servers write and read themselves. */
const protocol =
  /^(?:accept|authorization|content-(?:disposition|encoding|type)|idempotency-key|request-timeout-ms|traceparent|tracestate|webhook-.*|webrpc)$/u;

/**
 * Returns what a header of a request belongs to, or null if a field can use it.
 * Only POST and PATCH methods can have `@idempotencyKey`.
 */
export function headerOwner(name: string, verb: string): string | null {
  if (browsers.test(name)) return "the connection, and pages cannot set it";
  const isKeyed = verb === "POST" || verb === "PATCH";
  if (name === "idempotency-key" && !isKeyed) return null;
  return protocol.test(name) ? "the protocol" : null;
}

/** Headers of responses that hosts, servers or `cors` write themselves. */
const servers =
  /^(?:access-control-.*|allow|cache-control|connection|content-.*|date|idempotency-state|keep-alive|proxy-.*|set-cookie2?|trailer|transfer-encoding|upgrade|vary|via|www-authenticate|x-content-type-options)$/u;

/** Returns what a header of a response belongs to, or null if a field can use it. */
export function responseHeaderOwner(name: string): string | null {
  return servers.test(name) ? "the server" : null;
}
