import { decodeBytes, encodeBytes } from "./codec.js";
import { timeoutHeader } from "./server/deadline.js";
import { toEnvelope, WebrpcStreamLostError } from "./errors.js";
import type { RpcServer } from "./server/exchange.js";

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
 * Deadlines end a little before the function would be stopped. An answer is sent
 * when it is complete; a stream that is not by then is sent as far as it has
 * come, with `WebrpcStreamLost` as its last line.
 */
export function toLambdaHandler(
  server: RpcServer,
  { prefix = "" }: LambdaOptions = {},
): (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult> {
  return async (event, context) => {
    const request = toRequest(event, prefix);
    if (context !== undefined) shortenDeadline(request.headers, context);
    const response = await server.fetch(request);
    return isStream(response)
      ? toStreamResult(response, context)
      : toResult(response);
  };
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type") === "application/x-ndjson";
}

/** As much of a stream as comes in time; clients see that it goes on. */
async function toStreamResult(
  response: Response,
  context: LambdaContext | undefined,
): Promise<LambdaResult> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let body = "";
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    void reader?.cancel();
  }, remainingMs(context));
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    body += decoder.decode(value, { stream: true });
  }
  clearTimeout(timer);
  if (isOver) body += lostLine;
  const headers = Object.fromEntries(response.headers);
  return { statusCode: 200, headers, body, isBase64Encoded: false };
}

const lostLine = `${JSON.stringify({
  webrpcError: toEnvelope(
    new WebrpcStreamLostError({ cause: "the function had no more time" }),
  ),
})}\n`;

function toRequest(event: LambdaEvent, prefix: string): Request {
  const { body, rawPath, rawQueryString } = event;
  const { method } = event.requestContext.http;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) {
    if (value !== undefined) headers.append(name, value);
  }
  const path = rawPath.startsWith(`${prefix}/`)
    ? rawPath.slice(prefix.length)
    : rawPath;
  const query = rawQueryString === "" ? "" : `?${rawQueryString}`;
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  return new Request(`https://lambda/${path.replace(/^\//u, "")}${query}`, {
    method,
    headers,
    ...(hasBody && {
      body: event.isBase64Encoded ? new Uint8Array(decodeBytes(body)) : body,
    }),
  });
}

/** Time for the answer; without a context as much as a timer takes. */
function remainingMs(context: LambdaContext | undefined): number {
  if (context === undefined) return 2 ** 31 - 1;
  return Math.max(0, context.getRemainingTimeInMillis() - reservedMs);
}

/** Sees to it that there is an answer before the function is stopped. */
function shortenDeadline(headers: Headers, context: LambdaContext): void {
  const ownMs = remainingMs(context);
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
