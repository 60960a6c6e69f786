import { isFunction, memberOf } from "../../values/member.js";
import type { Eventually } from "../model/eventually.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import type { ServerMethod } from "../model/server-method.js";

/**
 * Adds a tag and other headers for caches to the response to a GET. If the client
 * already has the response, returns a 304 without a body (RFC 9110, section
 * 13).
 */
export function cacheableResponse(
  method: ServerMethod,
  request: ServerRequest,
  response: ServerResponse,
  cacheHeaders: Readonly<Record<string, string>>,
): Eventually<ServerResponse> {
  const { "content-type": _, ...fields } = response.headers;
  // Fields in headers are part of the content, and so is one of several statuses.
  const { route } = method;
  const isStatus = route.kind === "rest" && route.statuses !== undefined;
  const isWhole = Object.keys(fields).length === 0 && !isStatus;
  const content = isWhole
    ? ""
    : JSON.stringify(isStatus ? [response.status, fields] : fields);
  const withTag = (etag: string): ServerResponse => {
    const headers = { etag, ...cacheHeaders };
    return isKnown(request.header("if-none-match"), etag)
      ? { status: 304, headers: { ...fields, ...headers }, body: "" }
      : { ...response, headers: { ...response.headers, ...headers } };
  };
  const { etag = etagOf(response.body + content) } = fields;
  return typeof etag === "string" ? withTag(etag) : etag.then(withTag);
}

/**
 * Returns a weak tag, because compression changes the bytes of the response.
 */
export function etagOf(body: string): Eventually<string> {
  // Web Crypto computes on another thread, which takes longer than most calls.
  const known = digestByNode(body);
  if (known !== null) return toTag(known);
  const bytes = new TextEncoder().encode(body);
  return crypto.subtle.digest("SHA-256", bytes).then((digest) => {
    const hex = Array.from(new Uint8Array(digest, 0, tagBytes), (byte) =>
      byte.toString(16).padStart(2, "0"),
    );
    return toTag(hex.join(""));
  });
}

const tagBytes = 16;

function toTag(hex: string): string {
  return `W/"${hex.slice(0, 2 * tagBytes)}"`;
}

/**
 * Returns the SHA-256 digest of a text in hexadecimal digits, or null in
 * runtimes without Node's modules.
 */
function digestByNode(text: string): string | null {
  const node = memberOf(globalThis, "process");
  const load = memberOf(node, "getBuiltinModule");
  if (!isFunction(load)) return null;
  const hash = memberOf(load.call(node, "node:crypto"), "hash");
  const hex = isFunction(hash) ? hash("sha256", text, "hex") : null;
  return typeof hex === "string" ? hex : null;
}

/** Whether `If-None-Match` contains the tag, strong or weak. */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//u, ""));
  return tags.includes(etag.replace(/^W\//u, ""));
}
