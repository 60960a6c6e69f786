import type { ServerResponse } from "./exchange.js";

/** Values that all hosts can send (RFC 9110, section 5.5). */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/u;

/**
 * Returns the value of a server option that becomes part of a response header.
 *
 * Errors: `TypeError` if it contains a character that headers cannot contain
 * (RFC 9110, section 5.5). Hosts could not send any response with that header.
 */
export function requireHeaderValue<Value extends string | undefined>(
  option: string,
  value: Value,
): Value {
  if (headerValue.test(value ?? "")) return value;
  throw new TypeError(
    `server option ${option} must contain only characters that headers can contain`,
  );
}

interface HasHeaders {
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The parts of a method that declare headers of its responses. */
export interface HeaderSource {
  readonly errorBody?: HasHeaders;
  readonly errorData?: Readonly<Record<string, HasHeaders>>;
  readonly route: {
    readonly kind: string;
    readonly responseHeaders?: Readonly<Record<string, unknown>>;
  };
}

/** Returns the headers of a method's responses that the contract declares. */
export function declaredHeaders({
  errorBody = {},
  errorData = {},
  route: { responseHeaders = {} },
}: HeaderSource): readonly string[] {
  const errors = [errorBody, ...Object.values(errorData)];
  return [
    responseHeaders,
    ...errors.map(({ headers = {} }) => headers),
  ].flatMap(Object.keys);
}

/** Headers that the contract, the runtime or the host sets. */
const takenNames =
  /^(?:access-control-.*|connection|content-(?:disposition|encoding|length|range|type)|date|etag|http2-settings|idempotency-state|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|webrpc|www-authenticate)$/u;

/**
 * Appends a header to those that handlers set. Errors: `TypeError` if handlers
 * cannot set it, or if the value is invalid. It does not contain the value.
 */
export function appendHeader(
  own: Headers,
  method: HeaderSource,
  name: string,
  value: string,
): void {
  const key = name.toLowerCase();
  const isDeclared = declaredHeaders(method).some(
    (each) => each.toLowerCase() === key,
  );
  if (isDeclared || takenNames.test(key)) {
    throw new TypeError(`appendHeader: handlers cannot set ${name}`);
  }
  try {
    if (!headerValue.test(value)) throw new TypeError();
    own.append(name, value);
  } catch {
    throw new TypeError(`appendHeader: invalid name or value of ${name}`);
  }
}

/**
 * Returns a response with the headers that handlers set. They replace those of
 * the server's options, but the names of `Vary` are joined, and no cache keeps an
 * error or a cookie.
 */
export function withOwnHeaders(
  response: ServerResponse,
  own: Headers,
): ServerResponse {
  const headers: Record<string, string> = { ...response.headers };
  const { cookies: stored = [], status } = response;
  const cookies = [...stored, ...own.getSetCookie()];
  for (const [name, value] of own) {
    const isError = status >= 400 && name === "cache-control";
    if (name === "set-cookie" || isError) continue;
    const before = name === "vary" ? headers[name] : undefined;
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  if (cookies.length === 0) return { ...response, headers };
  // A shared cache would send the cookie to others (RFC 9111, section 7.3).
  if (status >= 400 || !own.has("cache-control")) {
    headers["cache-control"] = "no-store";
  }
  return { ...response, headers, cookies };
}
