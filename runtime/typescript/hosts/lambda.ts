import { decodeUtf8 } from "../values/utf8.js";
import { encodeBytes } from "../wire/bytes.js";
import { Chunks } from "../wire/chunks.js";
import { eventType } from "../wire/event-lines.js";
import {
  WebrpcBadMethodError,
  WebrpcInternalErrorError,
  WebrpcStreamLostError,
} from "../wire/errors.js";
import { hasEnd } from "../wire/stream-end.js";
import { toResponse } from "../server/answer-request.js";
import { badRequest } from "../server/requests/rejection.js";
import { errorResponse } from "../server/responses/response.js";
import {
  endedLineFormat,
  lineFormat,
  lineType,
} from "../server/responses/stream-format.js";
import type { RpcServer } from "../server/model/exchange.js";
import {
  type LambdaContext,
  type LambdaEvent,
  remainingMs,
  type RequestOptions,
  reservedMs,
  toRequest,
} from "./lambda-request.js";
import { memberOf } from "../values/member.js";
import { maxTimerMs } from "../values/timer.js";

export type { LambdaContext, LambdaEvent } from "./lambda-request.js";

/** The response of a function behind API Gateway or a function URL. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** The part of Lambda's response stream that the handler uses. */
export interface LambdaResponseStream {
  write(chunk: Uint8Array | string): boolean;
  end(onFinish: () => void): unknown;
  on(event: "close" | "drain" | "error", listener: () => void): unknown;
}

/** A streaming handler in the form that Lambda calls. */
export type LambdaStreamHandler = (
  event: LambdaEvent,
  stream: LambdaResponseStream,
  context?: LambdaContext,
) => Promise<void>;

/** The global `awslambda` in Lambda's Node runtime. */
interface LambdaRuntime {
  streamifyResponse(handler: LambdaStreamHandler): LambdaStreamHandler;
  readonly HttpResponseStream: {
    from(
      stream: LambdaResponseStream,
      head: {
        readonly statusCode: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly cookies?: readonly string[];
      },
    ): LambdaResponseStream;
  };
}

/** Options for the Lambda handlers. */
export interface LambdaOptions {
  /** Path prefix to remove, e.g. `/prod` for a stage. Default: none. */
  readonly prefix?: string;
}

/**
 * Returns a handler for AWS Lambda: `export const handler =
 * toLambdaHandler(server)`. Responses are sent once they are complete. Calls
 * time out shortly before Lambda stops the function. Streams that are still open
 * or larger than a result can be end with `WebrpcStreamLost`.
 */
export function toLambdaHandler(
  server: RpcServer,
  { prefix = "" }: LambdaOptions = {},
): (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult> {
  return async (event, context) => {
    const response = await answerEvent(server, event, context, { prefix });
    return isStream(response)
      ? toStreamResult(response, context)
      : toResult(response);
  };
}

/**
 * Returns a handler for a Lambda function URL with the invoke mode
 * `RESPONSE_STREAM`: `export const handler = toLambdaStreamHandler(server)`.
 * Responses are sent as they are produced. Calls time out shortly before Lambda
 * stops the function, and streams that are still open end with
 * `WebrpcStreamLost`.
 *
 * Errors: TypeError outside Lambda's Node runtime.
 */
export function toLambdaStreamHandler(
  server: RpcServer,
  { prefix = "" }: LambdaOptions = {},
): LambdaStreamHandler {
  const { awslambda }: { readonly awslambda?: LambdaRuntime } =
    Object(globalThis);
  if (awslambda === undefined) {
    throw new TypeError("only Lambda's Node runtime can stream responses");
  }
  return awslambda.streamifyResponse(async (event, stream, context) => {
    const left = new AbortController();
    const { signal } = left;
    stream.on("close", () => left.abort());
    stream.on("error", () => left.abort());
    const options = { prefix, signal };
    const response = await answerEvent(server, event, context, options);
    const head = { statusCode: response.status, ...headersOf(response) };
    const body = awslambda.HttpResponseStream.from(stream, head);
    // Send the headers now. Otherwise, they would wait for the first byte.
    body.write("");
    await sendBody(response, body, signal, context);
  });
}

/** Responds to an event, even if it is not a valid request. */
async function answerEvent(
  server: RpcServer,
  event: LambdaEvent,
  context: LambdaContext | undefined,
  options: RequestOptions,
): Promise<Response> {
  if (memberOf(event.requestContext, "http") === undefined) {
    throw new TypeError(
      "expected an event with the payload format 2.0, as of a function URL or " +
        "an HTTP API of API Gateway, not of a REST API or a load balancer",
    );
  }
  let request: Request;
  try {
    request = toRequest(event, context, options);
  } catch {
    const { method } = event.requestContext.http;
    const isForbidden = /^(?:connect|trace|track)$/iu.test(method);
    const error = isForbidden
      ? new WebrpcBadMethodError({ cause: `${method} is not supported` })
      : badRequest("the headers, path, or body is invalid");
    return toResponse(errorResponse(error));
  }
  const hostname = event.requestContext.http.sourceIp ?? null;
  return server.fetch(request, { remoteAddr: { hostname } });
}

/**
 * Sends a body no faster than the client receives it, until all of it is sent,
 * the client has disconnected, or a stream runs out of time.
 */
async function sendBody(
  response: Response,
  stream: LambdaResponseStream,
  left: AbortSignal,
  context: LambdaContext | undefined,
): Promise<void> {
  let goOn = (): void => {};
  stream.on("drain", () => goOn());
  let isLineWhole = true;
  const limitMs = isStream(response) ? remainingMs(context) : maxTimerMs;
  const isOver = await isOverAfter(limitMs, async (over) => {
    const stop = AbortSignal.any([left, over]);
    stop.addEventListener("abort", () => goOn());
    await readAll(response, stop, async (chunk) => {
      if (stop.aborted) return;
      isLineWhole = chunk.at(-1) === lineFeed;
      if (stream.write(chunk)) return;
      await new Promise<void>((resolve) => (goOn = resolve));
    });
  });
  if (left.aborted) return;
  // Clients also report the loss of a stream that ends within a line.
  if (isOver && isLineWhole) stream.write(lostEnd(response, outOfTime));
  await new Promise<void>((resolve) => {
    left.addEventListener("abort", () => resolve());
    stream.end(resolve);
    // If the client stops reading, it must not keep the function running.
    if (isOver) setTimeout(resolve, reservedMs / 2);
  });
}

const lineFeed = 0x0a;

/** Runs work with a time limit. Returns whether the limit was reached. */
async function isOverAfter(
  limitMs: number,
  work: (over: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limitMs);
  try {
    await work(over.signal);
  } finally {
    clearTimeout(timer);
  }
  return over.signal.aborted;
}

/** Reads a body until it ends or until no more data is needed. */
async function readAll(
  { body }: Response,
  stop: AbortSignal,
  take: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const cancel = (): void => void reader.cancel().catch(() => {});
  stop.addEventListener("abort", cancel);
  if (stop.aborted) cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await take(value);
  }
}

/**
 * Whether a response is a stream. A file can have the same media type, but only
 * files have a disposition.
 */
function isStream({ headers }: Response): boolean {
  const [type] = (headers.get("content-type") ?? "").split(";", 1);
  return (
    (type === lineType || type === eventType) &&
    !headers.has("content-disposition")
  );
}

/** Lambda rejects larger results, and an endless stream would use all memory. */
const maxResultBytes = 6 * 1024 * 1024 - 64 * 1024;

/**
 * Reads the part of a stream that arrives in time and fits into a result. If the
 * stream is incomplete, the last line is an error.
 */
async function toStreamResult(
  response: Response,
  context: LambdaContext | undefined,
): Promise<LambdaResult> {
  const decoder = new TextDecoder();
  const full = new AbortController();
  let body = "";
  let size = 0;
  const isOver = await isOverAfter(remainingMs(context), (over) =>
    readAll(response, AbortSignal.any([over, full.signal]), (chunk) => {
      const text = decoder.decode(chunk, { stream: true });
      size += sizeOf(text);
      if (size > maxResultBytes) full.abort();
      else body += text;
    }),
  );
  const isFull = full.signal.aborted;
  if (isFull || isOver) {
    // A large line arrives in several chunks.
    const complete = body.slice(0, body.lastIndexOf("\n") + 1);
    const cause = isFull ? "the response is too long" : outOfTime;
    body = complete + lostEnd(response, cause);
  }
  const { status } = response;
  const fields = headersOf(response);
  return { statusCode: status, ...fields, body, isBase64Encoded: false };
}

/** Returns the headers of a response, with its cookies apart, as Lambda requires. */
function headersOf({
  headers,
}: Response): Pick<LambdaResult, "cookies" | "headers"> {
  const { "set-cookie": _, ...others } = Object.fromEntries(headers);
  const cookies = headers.getSetCookie();
  return { headers: others, ...(cookies.length > 0 && { cookies }) };
}

/** Returns the size of text in a result, which is JSON. */
function sizeOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength;
}

const outOfTime = "the function ran out of time";

/**
 * Prints the end of a stream that is incomplete. That of events is an incomplete
 * event, because the body of the server's errors is not known here.
 */
function lostEnd({ headers }: Response, cause: string): string {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith(eventType)) return "data: ";
  const { failure } = hasEnd(type) ? endedLineFormat : lineFormat;
  return failure(errorResponse(new WebrpcStreamLostError({ cause })));
}

/** Converts a response, or an error if the response is larger than a result. */
async function toResult(response: Response): Promise<LambdaResult> {
  const fields = headersOf(response);
  const chunks = new Chunks();
  const full = new AbortController();
  await readAll(response, full.signal, (chunk) => {
    chunks.add(chunk);
    if (chunks.byteLength > maxResultBytes) full.abort();
  });
  const bytes = full.signal.aborted ? new Uint8Array() : chunks.join();
  const type = fields.headers["content-type"] ?? "text/plain";
  const isText = /json|^text\//u.test(type);
  const text = isText ? textOf(bytes) : null;
  const body = text ?? encodeBytes(bytes);
  if (full.signal.aborted || sizeOf(body) > maxResultBytes) {
    const cause = "the response is larger than Lambda allows";
    const error = new WebrpcInternalErrorError({ cause });
    return toResult(toResponse(errorResponse(error)));
  }
  return {
    statusCode: response.status,
    ...fields,
    body,
    isBase64Encoded: text === null,
  };
}

/**
 * Returns the string that is encoded as exactly these bytes, or null if there
 * is none.
 */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decodeUtf8(bytes);
  } catch {
    // Files can have a different encoding.
    return null;
  }
}
