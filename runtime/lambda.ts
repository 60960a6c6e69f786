import { decodeBytes, encodeBytes } from "./codec.js";
import { timeoutHeader } from "./deadline.js";
import type { RpcServer } from "./exchange.js";

/**
 * What is used of an event of API Gateway (HTTP API, payload format 2.0) or of a
 * Lambda function URL.
 */
export interface LambdaEvent {
  readonly rawPath: string;
  /** Without the question mark; "" when there is none. */
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

/** What is used of the context of an invocation. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** Answer of a function behind API Gateway or a function URL. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** How the function is reached. */
export interface LambdaOptions {
  /** Start of the path that is not the server's, e.g. `/prod` for a stage. */
  readonly prefix?: string;
}

/** Kept for the answer, before the function is stopped. */
const reservedMs = 200;

/**
 * A handler for AWS Lambda: `export const handler = toLambdaHandler(server)`.
 * An answer is sent when it is complete, streams too. Deadlines end a little
 * before the function would be stopped.
 */
export function toLambdaHandler(
  server: RpcServer,
  { prefix = "" }: LambdaOptions = {},
): (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult> {
  return async (event, context) => {
    const request = toRequest(event, prefix);
    if (context !== undefined) shortenDeadline(request.headers, context);
    return toResult(await server.fetch(request));
  };
}

function toRequest(event: LambdaEvent, prefix: string): Request {
  const { body, rawPath, rawQueryString } = event;
  const { method } = event.requestContext.http;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) {
    if (value !== undefined) headers.append(name, value);
  }
  const path = rawPath.startsWith(prefix)
    ? rawPath.slice(prefix.length)
    : rawPath;
  const query = rawQueryString === "" ? "" : `?${rawQueryString}`;
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  return new Request(`https://lambda${path}${query}`, {
    method,
    headers,
    ...(hasBody && {
      body: event.isBase64Encoded ? new Uint8Array(decodeBytes(body)) : body,
    }),
  });
}

/** Sees to it that there is an answer before the function is stopped. */
function shortenDeadline(headers: Headers, context: LambdaContext): void {
  const ownMs = Math.max(0, context.getRemainingTimeInMillis() - reservedMs);
  const given = headers.get(timeoutHeader);
  const isShorter = given !== null && Number(given) < ownMs;
  if (!isShorter) headers.set(timeoutHeader, String(Math.floor(ownMs)));
}

async function toResult(response: Response): Promise<LambdaResult> {
  const headers = Object.fromEntries(response.headers);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isText = /json|^text\//u.test(headers["content-type"] ?? "text/plain");
  return {
    statusCode: response.status,
    headers,
    body: isText ? new TextDecoder().decode(bytes) : encodeBytes(bytes),
    isBase64Encoded: !isText,
  };
}
