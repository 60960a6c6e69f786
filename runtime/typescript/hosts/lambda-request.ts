import { decodeBytes } from "../wire/bytes.js";
import { maxTimerMs } from "../values/timer.js";
import { readTimeout, timeoutHeader } from "../server/model/deadline.js";

/**
 * The part of an event that the handler uses, from API Gateway (HTTP API,
 * payload format 2.0) or a Lambda function URL.
 */
export interface LambdaEvent {
  readonly rawPath: string;
  /** The query without the question mark. Empty if there is none. */
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The cookies. Lambda does not include them in the headers. */
  readonly cookies?: readonly string[] | undefined;
  readonly requestContext: {
    /** The host that received the request. Function URLs do not decode paths. */
    readonly domainName?: string;
    readonly http: {
      readonly method: string;
      /** IP address of the client. */
      readonly sourceIp?: string;
    };
  };
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

/** The part of an invocation's context that the handler uses. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * Milliseconds reserved for sending the response before Lambda stops the
 * function.
 */
export const reservedMs = 200;

/** Options for converting an event to a request. */
export interface RequestOptions {
  /** Prefix of the path that is not part of the server's paths. */
  readonly prefix: string;
  readonly signal?: AbortSignal;
}

/**
 * Converts an event to a request. Its deadline passes before Lambda stops the
 * function.
 *
 * Errors: any error from web classes or base64 decoding if the request is
 * invalid.
 */
export function toRequest(
  event: LambdaEvent,
  context: LambdaContext | undefined,
  { prefix, signal }: RequestOptions,
): Request {
  const { body, cookies = [], rawQueryString } = event;
  const { method } = event.requestContext.http;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) {
    if (value !== undefined) headers.append(name, value);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  if (context !== undefined) shortenDeadline(headers, context);
  const encoded = encodedPath(event);
  const path = encoded.startsWith(`${prefix}/`)
    ? encoded.slice(prefix.length)
    : encoded;
  const query = rawQueryString === "" ? "" : `?${rawQueryString}`;
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  return new Request(`https://lambda/${path.replace(/^\//u, "")}${query}`, {
    method,
    headers,
    ...(signal && { signal }),
    ...(hasBody && {
      body: event.isBase64Encoded ? new Uint8Array(decodeBytes(body)) : body,
    }),
  });
}

/**
 * Returns the path as the client encoded it. HTTP APIs decode it, and function
 * URLs do not. Events without a domain are of programs that pass a URL's path.
 */
function encodedPath({ rawPath, requestContext }: LambdaEvent): string {
  const { domainName } = requestContext;
  if (domainName === undefined || domainName.includes(".lambda-url."))
    return rawPath;
  return encodeURI(rawPath).replace(/[?#]/gu, encodeURIComponent);
}

/**
 * Returns how many milliseconds the response may take. Without a context, there
 * is practically no limit.
 */
export function remainingMs(context: LambdaContext | undefined): number {
  if (context === undefined) return maxTimerMs;
  return Math.max(0, context.getRemainingTimeInMillis() - reservedMs);
}

/** Makes the server respond before Lambda stops the function. */
function shortenDeadline(headers: Headers, context: LambdaContext): void {
  const ms = readTimeout(headers.get(timeoutHeader), remainingMs(context));
  headers.set(timeoutHeader, String(Math.floor(ms)));
}
