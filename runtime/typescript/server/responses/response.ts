import type { ErrorDefinition } from "../../wire/errors.js";
import { isInQuery } from "../model/credential-place.js";
import type { ServerResponse } from "../model/exchange.js";
import type { CredentialRule } from "../model/server-method.js";
import type { PaceLimits } from "../model/pace.js";
import { escapeJson } from "../../wire/escape-json.js";

/** Media type of all bodies except streams and files. */
export const jsonType = "application/json";

/**
 * The headers of most responses. Hosts recognize them because the object is
 * shared.
 */
export const jsonHeaders: Readonly<Record<string, string>> =
  /* @__PURE__ */ Object.freeze({ "content-type": jsonType });

/**
 * Creates a successful response. Input: the body as JSON text, or "" if there is
 * none. With 204 and 205, the response has no body (RFC 9110, sections 15.3.5 and
 * 15.3.6).
 */
export function okResponse(
  body: string,
  pace: PaceLimits,
  status = 200,
): ServerResponse {
  if (status === 204) return { status, headers: {}, body: "" };
  if (status === 205 || body === "") {
    return { status, headers: { "content-length": "0" }, body: "" };
  }
  return { status, headers: jsonHeaders, body, pace };
}

/**
 * The header of a 401 that names the required credentials (RFC 9110, section
 * 11.6.1).
 */
const challengeHeader = "www-authenticate";

/**
 * Returns the challenge of a 401, which contains a scheme for each credential, in
 * order. It names any place other than the header `Authorization`.
 */
export function challengeOf(
  rules: readonly Pick<CredentialRule, "cookie" | "header" | "scheme">[],
): Readonly<Record<string, string>> {
  const challenges = rules.map((rule) => {
    const { cookie, header, scheme } = rule;
    const isUsual = header.toLowerCase() === "authorization";
    const place = isInQuery(rule)
      ? `query="${header.slice(1)}"`
      : cookie === undefined
        ? `header="${header}"`
        : `cookie="${cookie}"`;
    const parameters = [
      ...(isBasic(scheme) ? ['realm="API"', 'charset="UTF-8"'] : []),
      ...(isUsual ? [] : [place]),
    ];
    return [scheme ?? "ApiKey", parameters.join(", ")].join(" ").trim();
  });
  return { [challengeHeader]: challenges.join(", ") || "ApiKey" };
}

/** Whether a scheme is `Basic`, whose challenge needs a realm (RFC 7617). */
function isBasic(scheme: string | null): boolean {
  return scheme?.toLowerCase() === "basic";
}

/**
 * Returns the status of an error. Anything but an integer from 300 to 599 becomes
 * 500, and so does 304, which has no body.
 */
export function statusOf(error: Pick<ErrorDefinition, "status">): number {
  // Handlers can throw an error whose status is text or an object.
  const given: unknown = error.status;
  const isPlain = /^(?:bigint|number|string)$/u.test(typeof given);
  const status = isPlain ? Number(given) : NaN;
  const isError = Number.isInteger(status) && status >= 300 && status <= 599;
  return isError && status !== 304 ? status : 500;
}

/**
 * Creates the response with an error's envelope and HTTP status (see `statusOf`).
 * Causes other than strings are not sent.
 *
 * Input: `data` is the error's data as JSON text, or null if there is none. If
 * there is a media type, the data is the whole body.
 */
export function errorResponse(
  error: ErrorDefinition & { readonly cause?: unknown },
  headers?: Readonly<Record<string, string>>,
  data: string | null = null,
  mediaType?: string,
): ServerResponse {
  const { cause, code, message, name } = error;
  const status = statusOf(error);
  if (data !== null && mediaType !== undefined) {
    const type = { "content-type": mediaType };
    return { status, headers: { ...type, ...headers }, body: data };
  }
  const why =
    typeof cause === "string" ? `,"cause":${JSON.stringify(cause)}` : "";
  // This is three times as fast as `JSON.stringify` of an object.
  const body =
    `{"error":"${escapeJson(name)}","code":${Number.isFinite(code) ? code : 0}` +
    `,"msg":"${escapeJson(message)}","status":${status}${why}` +
    (data === null ? "}" : `,"data":${data}}`);
  return {
    status,
    headers:
      headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body,
  };
}
