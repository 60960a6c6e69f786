import { Buffer } from "node:buffer";

import { keepHeaders } from "./keep-headers.js";
import type { NodeExchange } from "./exchange.js";
import { type NodeResponse, breakOff, isDisconnected } from "./messages.js";
import type {
  BodyStream,
  RpcServer,
  ServerResponse,
} from "../../server/model/exchange.js";
import { defaultSendLimits } from "../../server/model/pace.js";
import { answerOf } from "../../server/responses/failed-answer.js";
import { refuseUnknownEnd } from "../../server/responses/stream-end.js";
import { watch } from "./watch.js";
import {
  maxPieceBytes,
  PacedStream,
} from "../../server/responses/paced-stream.js";

/** Responds to a Node request. */
export function answerExchange(
  server: RpcServer,
  exchange: NodeExchange,
  response: NodeResponse,
): void {
  void server.handle(exchange).then((answer) => {
    const { stream } = answer;
    if (stream === undefined) sendOrFail(exchange, answer, response);
    else
      sendStream(exchange, answer, stream, response).catch(() => {
        breakOff(response);
      });
  });
}

/** Sends a response, or an error if Node refuses one of its headers. */
function sendOrFail(
  exchange: NodeExchange,
  answer: ServerResponse,
  response: NodeResponse,
): void {
  try {
    send(exchange, answer, response);
  } catch (failure) {
    if (response.headersSent) breakOff(response);
    else send(exchange, answerOf(failure).response, response);
  }
}

/** Sends a response, unless the client has disconnected. */
export function send(
  exchange: NodeExchange,
  answer: ServerResponse,
  response: NodeResponse,
): void {
  exchange.isAnswered = true;
  if (response.headersSent || isDisconnected(response)) return;
  const { status, body, cookies, pace = defaultSendLimits } = answer;
  const byteLength = Buffer.byteLength(body);
  const headers = exchange.headersOf(answer.headers, byteLength);
  if (byteLength > maxPieceBytes) {
    const stream = new PacedStream(streamText(body), pace);
    const head = { status, headers, ...(cookies && { cookies }) };
    sendStream(exchange, head, stream, response).catch(() => {
      breakOff(response);
    });
    return;
  }
  response.writeHead(status, keepHeaders(headers, cookies, response));
  // ASCII needs no encoding, and skipping it is faster for long bodies.
  response.end(body, byteLength === body.length ? "latin1" : "utf8");
  if (response.writableLength !== 0) watch(response, pace, byteLength);
}

/** Returns a text as a stream of one piece. */
function streamText(text: string): BodyStream {
  let rest: string | null = text;
  return {
    next() {
      const piece = rest;
      rest = null;
      return Promise.resolve(piece);
    },
    cancel() {},
  };
}

/** The status and headers of a response whose body follows in pieces. */
export interface NodeHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  readonly cookies?: readonly string[];
}

/** Sends a body in pieces. Waits while the connection's buffer is full. */
export async function sendStream(
  exchange: NodeExchange,
  { status, headers, cookies }: NodeHead,
  stream: BodyStream,
  response: NodeResponse,
): Promise<void> {
  if (response.headersSent || isDisconnected(response)) return stream.cancel();
  const isCertain = !exchange.endsByClose || exchange.method === "HEAD";
  const refusal = isCertain ? null : refuseUnknownEnd(headers);
  if (refusal !== null) {
    stream.cancel();
    return send(exchange, answerOf(refusal).response, response);
  }
  let goOn = (): void => {};
  stream.onSlow = () => breakOff(response);
  response.on("drain", () => goOn());
  response.on("close", () => {
    stream.cancel();
    goOn();
  });
  const all = { ...headers, ...exchange.connectionHeaders };
  response.writeHead(status, keepHeaders(all, cookies, response));
  for (;;) {
    const piece = await stream.next();
    if (piece === null || isDisconnected(response)) break;
    if (write(response, piece)) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (isDisconnected(response)) resolve();
    });
  }
  exchange.isAnswered = true;
  response.end();
}

/**
 * Encodes strings for HTTP/2: if several strings are queued and one of them is
 * empty, Node 20 sends overwritten memory. For HTTP/1, the memory of the bytes
 * is free as soon as they are sent if Node encodes them.
 */
function write(response: NodeResponse, piece: string | Uint8Array): boolean {
  const isQueued = response.stream !== undefined && typeof piece === "string";
  return response.write(isQueued ? Buffer.from(piece) : piece);
}
