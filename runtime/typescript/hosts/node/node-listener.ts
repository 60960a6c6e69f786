import {
  answerOf,
  invalidUrl,
  print,
} from "../../server/responses/failed-answer.js";
import { NodeExchange } from "./exchange.js";
import type { NodeRequest, NodeResponse } from "./node.js";
import { send, sendStream } from "./answer-exchange.js";
import type { BodyStream } from "../../server/model/exchange.js";
import { defaultSendLimits } from "../../server/model/pace.js";
import { PacedStream } from "../../server/responses/paced-stream.js";
import { LazyRequest } from "./lazy-request.js";
import { LazyResponse } from "./lazy-response.js";
import { breakOff } from "./messages.js";
import { badRequest } from "../../server/requests/rejection.js";
import { takeFrom } from "../../server/responses/taking.js";
import { requireNumber } from "../../server/model/option-number.js";
import { createUrlReader } from "./request-url.js";
import { createBodyLimits } from "../../server/model/body-pace.js";
import { errorResponse } from "../../server/responses/response.js";
import { quietly } from "../../values/quietly.js";

/**
 * Handles web-standard requests, e.g. `server.fetch` or a Hono app's `fetch`.
 */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Options for {@link toNodeListener}. */
export interface ListenerOptions {
  /**
   * Maximum size in bytes of a body that a handler can read. Generated servers
   * have their own limits. Default: 32 MiB.
   */
  readonly maxBodyBytes?: number;
  /**
   * Called with errors from the handler or from reading its response's body,
   * except RpcErrors with a status below 500. Default: unexpected exceptions go to
   * `console.error`.
   */
  readonly onError?: (error: unknown, request: Request) => void;
}

const defaultMaxBodyBytes = 32 * 1024 * 1024;

/**
 * Returns a listener for `http.createServer`, `https.createServer`, and
 * `http2.createSecureServer` that calls a web-standard handler, e.g. one that
 * routes requests to several servers.
 *
 * Passing an unchanged request to a generated server's `server.fetch` and
 * returning its unchanged response costs no more than `toNodeHandler`. If the
 * handler throws an RpcError, the response is that error. Any other error
 * becomes 500 `WebrpcInternalError`.
 */
export function toNodeListener(
  handler: FetchHandler,
  options: ListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  requireNumber("maxBodyBytes", options.maxBodyBytes);
  const limits = createBodyLimits(options.maxBodyBytes ?? defaultMaxBodyBytes);
  const readUrl = createUrlReader();
  return (incoming, outgoing) => {
    const target = incoming.url ?? "/";
    const url = readUrl(isSecure(incoming), hostOf(incoming), target);
    const exchange = new NodeExchange(incoming, outgoing, url?.target);
    if (url === null) {
      const error = badRequest(invalidUrl);
      send(exchange, errorResponse(error), outgoing);
      return;
    }
    const request = new LazyRequest(exchange, url.origin, limits);
    void serve(handler, request, exchange, outgoing, options);
  };
}

/** Responds to a request. Never rejects. */
async function serve(
  handler: FetchHandler,
  request: LazyRequest,
  exchange: NodeExchange,
  outgoing: NodeResponse,
  { onError }: ListenerOptions,
): Promise<void> {
  const fail = (failure: unknown): void => {
    const { response } = answerOf(failure);
    if (outgoing.headersSent) breakOff(outgoing);
    else send(exchange, response, outgoing);
    if (response.status < 500) return;
    const { method, url } = request;
    quietly(() =>
      onError === undefined
        ? // The query can contain credentials.
          print(`${method} ${url.split("?", 1)[0]}`, failure)
        : onError(failure, request),
    );
  };
  try {
    const response = await handler(request);
    const answer = response instanceof LazyResponse ? response.answer : null;
    if (answer === null) sendResponse(exchange, response, outgoing, fail);
    else if (answer.stream === undefined) send(exchange, answer, outgoing);
    else sendStream(exchange, answer, answer.stream, outgoing, fail);
  } catch (failure) {
    fail(failure);
  }
}

/**
 * Sends a response that a generated server did not create or that may have been
 * changed.
 */
function sendResponse(
  exchange: NodeExchange,
  response: Response,
  outgoing: NodeResponse,
  fail: (failure: unknown) => void,
): void {
  const { body, status } = response;
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) headers[name] = value;
  const cookies = response.headers.getSetCookie();
  delete headers["set-cookie"];
  const isHead = exchange.method === "HEAD";
  const needsLength = !isHead && status !== 204 && status !== 304;
  if (body === null && needsLength) headers["content-length"] ??= "0";
  if (isHead) body?.cancel().catch(() => {});
  const source = body === null || isHead ? nothing : streamBody(body, outgoing);
  const stream = new PacedStream(source, defaultSendLimits);
  const head = { status, headers, cookies };
  sendStream(exchange, head, stream, outgoing, fail);
}

const nothing: BodyStream = { take: () => null, cancel() {} };

function streamBody(
  body: ReadableStream<Uint8Array>,
  outgoing: NodeResponse,
): BodyStream {
  const reader = body.getReader();
  let isBegun = false;
  const read = async (): Promise<Uint8Array | null> => {
    if (!isBegun) setImmediate(tell);
    const { done, value } = await reader.read();
    isBegun = true;
    return done ? null : value;
  };
  // If there is no content yet, at least send the headers.
  const tell = (): void => {
    if (!isBegun) outgoing.flushHeaders?.();
  };
  return {
    take: takeFrom(read),
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

function isSecure({ socket }: NodeRequest): boolean {
  return socket !== undefined && "encrypted" in socket;
}

function hostOf({ headers }: NodeRequest): string | null {
  // `Host` is used only without `:authority` (RFC 9113, section 8.3.1).
  const host = headers[":authority"] ?? headers["host"];
  return typeof host === "string" ? host : null;
}
