import { decodeBytes } from "../wire/codec.js";
import { maxTimerMs } from "../values/timer.js";
import { timeoutHeader } from "../server/model/deadline.js";

/**
 * The part of an event of API Gateway (HTTP API, payload format 2.0) or of a
 * Lambda function URL that is used.
 */
export interface LambdaEvent {
  readonly rawPath: string;
  /** The query without the question mark; "" if there is none. */
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The cookies, which are not among the headers. */
  readonly cookies?: readonly string[] | undefined;
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

/** The part of an invocation's context that is used. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** Kept for the answer, before the function is stopped. */
export const reservedMs = 200;

/** How an event becomes a request. */
export interface RequestOptions {
  /** Start of the path that is not the server's. */
  readonly prefix: string;
  readonly signal?: AbortSignal;
}

/**
 * The request that an event tells of, with a deadline before the function is
 * stopped.
 *
 * Errors: what the web's classes or the base64 throw when there is no such request.
 */
export function toRequest(
  event: LambdaEvent,
  context: LambdaContext | undefined,
  { prefix, signal }: RequestOptions,
): Request {
  const { body, cookies = [], rawPath, rawQueryString } = event;
  const { method } = event.requestContext.http;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) {
    if (value !== undefined) headers.append(name, value);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  if (context !== undefined) shortenDeadline(headers, context);
  const path = rawPath.startsWith(`${prefix}/`)
    ? rawPath.slice(prefix.length)
    : rawPath;
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

/** Time for the answer; without a context there is no limit. */
export function remainingMs(context: LambdaContext | undefined): number {
  if (context === undefined) return maxTimerMs;
  return Math.max(0, context.getRemainingTimeInMillis() - reservedMs);
}

/** Sees to it that there is an answer before the function is stopped. */
function shortenDeadline(headers: Headers, context: LambdaContext): void {
  const ownMs = remainingMs(context);
  const given = headers.get(timeoutHeader);
  const isShorter = given !== null && Number(given) < ownMs;
  if (!isShorter) headers.set(timeoutHeader, String(Math.floor(ownMs)));
}
