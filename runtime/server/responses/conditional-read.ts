import { headersOf } from "../model/credential-place.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import type { ServerMethod } from "../model/server-method.js";

/**
 * Adds `ETag` and `Cache-Control` to the response to a GET. If the client
 * already has the response, returns a 304 without a body (RFC 9110, section
 * 13).
 */
export async function cacheableResponse(
  method: ServerMethod,
  request: ServerRequest,
  response: ServerResponse,
  cacheControl: string,
): Promise<ServerResponse> {
  const { "content-type": _, ...fields } = response.headers;
  // Fields in headers are part of the content, and so is one of several statuses.
  const { route } = method;
  const isStatus = route.kind === "rest" && route.statuses !== undefined;
  const isWhole = Object.keys(fields).length === 0 && !isStatus;
  const content = isWhole
    ? ""
    : JSON.stringify(isStatus ? [response.status, fields] : fields);
  const headers = {
    ...fields,
    etag: fields["etag"] ?? (await etagOf(response.body + content)),
    "cache-control": cacheControl,
    ...varyHeaders(method),
  };
  return isKnown(request.header("if-none-match"), headers.etag)
    ? { status: 304, headers, body: "" }
    : { ...response, headers: { ...response.headers, ...headers } };
}

/**
 * Returns a weak tag, because compression changes the bytes of the response.
 */
export async function etagOf(body: string): Promise<string> {
  const bytes = new TextEncoder().encode(body);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  const short = new Uint8Array(hash, 0, 16);
  const hex = Array.from(short, (byte) => byte.toString(16).padStart(2, "0"));
  return `W/"${hex.join("")}"`;
}

/** Whether `If-None-Match` contains the tag, strong or weak. */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//u, ""));
  return tags.includes(etag.replace(/^W\//u, ""));
}

/**
 * Returns the `Vary` header, because callers with different credentials, or other
 * values in headers, may get different responses.
 */
function varyHeaders({
  credentials,
  route,
}: ServerMethod): Readonly<Record<string, string>> {
  const names = [
    ...headersOf(credentials),
    ...(route.kind === "rest" ? Object.keys(route.headers ?? {}) : []),
  ];
  return names.length === 0 ? {} : { vary: names.join(", ") };
}
