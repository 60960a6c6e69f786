import type { ErrorDefinition } from "../errors.js";
import type { ServerResponse } from "./exchange.js";

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

/**
 * The envelope of an error with its HTTP status. A status that is no error's
 * becomes 500, and a cause that is not text stays here.
 */
export function errorResponse(
  error: ErrorDefinition & { readonly cause?: unknown },
  headers?: Readonly<Record<string, string>>,
): ServerResponse {
  const isErrorStatus = error.status >= 400 && error.status <= 599;
  const status = isErrorStatus ? error.status : 500;
  const envelope = {
    error: error.name,
    code: error.code,
    msg: error.message,
    status,
    ...(typeof error.cause === "string" && { cause: error.cause }),
  };
  return {
    status,
    headers:
      headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body: JSON.stringify(envelope),
  };
}
