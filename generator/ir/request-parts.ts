import type { BodyFormat, Field, HeaderField, Method } from "./contract.js";
import { pathParameters } from "./path-template.js";
import { queryFieldsOf } from "./query-fields.js";

/** A header and its field. */
export interface PlacedHeader {
  /** The name as written. */
  readonly name: string;
  readonly field: Field;
}

/** The fields of a request, by the part of the HTTP request that has them. */
export interface RequestParts {
  /** In the order of the path. */
  readonly path: readonly Field[];
  /** With their names in the query, in its order. */
  readonly query: readonly {
    readonly name: string;
    readonly field: Field;
    readonly isJoined: boolean;
  }[];
  readonly headers: readonly PlacedHeader[];
  /** The fields of the object that is the body, in their own order. */
  readonly body: readonly Field[];
  /** The field that is the whole body, in place of an object. */
  readonly whole: Field | null;
  readonly format: BodyFormat;
  /** The media type of the body, unless it is a form with files. */
  readonly mediaType: string;
}

/** Returns where a call sends each field of its request. */
export function requestPartsOf({ request, route }: Method): RequestParts {
  const { fields } = request;
  if (route.kind !== "rest") {
    const format = "json";
    const none = { path: [], query: [], headers: [] };
    const mediaType = mediaTypes[format];
    return { ...none, body: fields, whole: null, format, mediaType };
  }
  const { path, requestBody } = route;
  const format = requestBody.kind === "none" ? "json" : requestBody.format;
  const own = requestBody.kind === "none" ? null : requestBody.mediaType;
  const byName = new Map(fields.map((field) => [field.jsonName, field]));
  const inBody = new Set(
    requestBody.kind === "fields" ? requestBody.fields : [],
  );
  return {
    path: pathParameters(path).flatMap((name) => byName.get(name) ?? []),
    query: queryFieldsOf(route).flatMap(({ name, field: key, isJoined }) => {
      const field = byName.get(key);
      return field ? { name, field, isJoined } : [];
    }),
    headers: placeHeaders(route.headers, fields),
    body: fields.filter(({ jsonName }) => inBody.has(jsonName)),
    whole:
      requestBody.kind === "field"
        ? (byName.get(requestBody.field) ?? null)
        : null,
    format,
    mediaType: own ?? mediaTypes[format],
  };
}

/** Whether a field is a `file` or a list of files. */
export function isFileField({ type }: Pick<Field, "type">): boolean {
  const inner = type.kind === "list" ? type.element : type;
  return inner.kind === "scalar" && inner.name === "file";
}

/** Returns the outputs of a method that are in headers. */
export function responseHeadersOf({
  response,
  route,
}: Method): readonly PlacedHeader[] {
  const headers = route.kind === "rest" ? route.responseHeaders : [];
  return placeHeaders(headers, response.fields);
}

/** Returns the fields of an error's data that are in headers. */
export function errorHeadersOf(
  fields: readonly Field[],
): readonly PlacedHeader[] {
  return fields.flatMap((field) =>
    field.header === null ? [] : { name: field.header, field },
  );
}

function placeHeaders(
  headers: readonly HeaderField[],
  fields: readonly Field[],
): readonly PlacedHeader[] {
  return headers.flatMap(({ name, field: key }) => {
    const field = fields.find(({ jsonName }) => jsonName === key);
    return field ? { name, field } : [];
  });
}

/** Escapes a name in a form with files as browsers do. */
export function escapePartName(name: string): string {
  return name.replace(/["\r\n]/gu, encodeURIComponent);
}

/** The usual media types of request bodies that are not forms with files. */
export const mediaTypes: Readonly<Record<BodyFormat, string>> = {
  json: "application/json",
  file: "application/octet-stream",
  form: "application/x-www-form-urlencoded",
  "bracket-form": "application/x-www-form-urlencoded",
};

/**
 * Returns the header `Accept` of requests to a method, or null. Other types than JSON
 * are not excluded, because a contract does not name types such as
 * `application/hal+json`, nor that of a file.
 */
export function acceptOf({ response, route }: Method): string | null {
  if (route.kind !== "rest" || response.fields.some(isFileField)) return null;
  return response.isStream
    ? "text/event-stream"
    : "application/json, */*;q=0.1";
}

/**
 * The pattern of idempotency keys on the wire, which are strings of RFC 9651.
 * Escaped characters count as one.
 */
export const keyPattern = '^"([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"$';
