import type { ErrorDefinition } from "../../wire/errors.js";
import type { ServerResponse } from "../model/exchange.js";
import { escapeJson } from "../../wire/printing.js";

/** Media type of all bodies but those of streams and files. */
export const jsonType = "application/json";

/** The headers of most answers; shared, so that hosts may know them again. */
export const jsonHeaders: Readonly<Record<string, string>> =
  /* @__PURE__ */ Object.freeze({ "content-type": jsonType });

/** The beginning of a successful answer that goes on, in lines of JSON. */
export const streamHead: ServerResponse = /* @__PURE__ */ Object.freeze({
  status: 200,
  headers: {
    "cache-control": "no-store",
    "content-type": "application/x-ndjson",
    "x-content-type-options": "nosniff",
  },
  body: "",
});

/** A successful answer. Input: the body as JSON text. */
export function okResponse(body: string): ServerResponse {
  return { status: 200, headers: jsonHeaders, body };
}

/** Header of 401 that says which credentials to send (RFC 9110, section 11.6.1). */
const challengeHeader = "www-authenticate";

/**
 * The challenge of a 401: a scheme for each header, in their order. It names the
 * header where that is not `Authorization`.
 */
export function challengeOf(
  rules: readonly {
    readonly header: string;
    readonly scheme: string | null;
  }[],
): Readonly<Record<string, string>> {
  const challenges = rules.map(({ header, scheme }) => {
    const isUsual = header.toLowerCase() === "authorization";
    return `${scheme ?? "ApiKey"}${isUsual ? "" : ` header="${header}"`}`;
  });
  return { [challengeHeader]: challenges.join(", ") || "ApiKey" };
}

/**
 * The envelope of an error with its HTTP status. A status that is no error's
 * becomes 500, and a cause that is not text stays here.
 */
export function errorResponse(
  error: ErrorDefinition & { readonly cause?: unknown },
  headers?: Readonly<Record<string, string>>,
): ServerResponse {
  const { cause, code, message, name } = error;
  const isErrorStatus = error.status >= 400 && error.status <= 599;
  const status = isErrorStatus ? error.status : 500;
  const why =
    typeof cause === "string" ? `,"cause":${JSON.stringify(cause)}` : "";
  // Three times as fast as `JSON.stringify` of an object.
  const body =
    `{"error":"${escapeJson(name)}","code":${Number.isFinite(code) ? code : 0}` +
    `,"msg":"${escapeJson(message)}","status":${status}${why}}`;
  return {
    status,
    headers:
      headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body,
  };
}
