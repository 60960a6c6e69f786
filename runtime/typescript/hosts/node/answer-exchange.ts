import { AsyncResource } from "node:async_hooks";
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
    sendOrFail(exchange, answer, response);
  });
}

/** Sends a response, or an error if Node refuses one of its headers. */
function sendOrFail(
  exchange: NodeExchange,
  answer: ServerResponse,
  response: NodeResponse,
): void {
  try {
    const { stream } = answer;
    if (stream === undefined) send(exchange, answer, response);
    else sendStream(exchange, answer, stream, response);
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
    return sendStream(exchange, head, stream, response);
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
    take() {
      const piece = rest;
      rest = null;
      return piece;
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

/**
 * Sends a body in pieces. Waits while the connection's buffer is full.
 *
 * Input: `fail` is called if the body fails.
 * Errors: those of Node for a header.
 */
export function sendStream(
  exchange: NodeExchange,
  { status, headers, cookies }: NodeHead,
  stream: BodyStream,
  response: NodeResponse,
  fail: (failure: unknown) => void = () => breakOff(response),
): void {
  if (response.headersSent || isDisconnected(response)) return stream.cancel();
  const isCertain = !exchange.endsByClose || exchange.method === "HEAD";
  const refusal = isCertain ? null : refuseUnknownEnd(headers);
  if (refusal !== null) {
    stream.cancel();
    return send(exchange, answerOf(refusal).response, response);
  }
  const all = { ...headers, ...exchange.connectionHeaders };
  try {
    response.writeHead(status, keepHeaders(all, cookies, response));
  } catch (failure) {
    stream.cancel();
    throw failure;
  }
  let state: "waiting" | "busy" | "full" | "over" = "waiting";
  // Other calls can wake it, but their context is not that of this call. In Node 20,
  // `AsyncResource.bind` would need 2 kB for each stream.
  const resource = new AsyncResource("RidlkitStream");
  const wake = (): void => resource.runInAsyncScope(pump);
  const pump = (): void => {
    if (state !== "waiting") return;
    state = "busy";
    try {
      state = sendPieces(stream, response, wake);
      if (state !== "over") return;
      exchange.isAnswered = true;
      response.end();
    } catch (failure) {
      state = "over";
      fail(failure);
    }
  };
  const goOn = (): void => {
    if (state !== "full") return;
    state = "waiting";
    wake();
  };
  stream.onSlow = () => breakOff(response);
  response.on("drain", goOn);
  response.on("close", () => {
    stream.cancel();
    goOn();
  });
  pump();
}

/** Sends all pieces that are ready. Returns what the next one waits for. */
function sendPieces(
  stream: BodyStream,
  response: NodeResponse,
  wake: () => void,
): "waiting" | "full" | "over" {
  for (;;) {
    const piece = stream.take(wake);
    if (piece === undefined) return "waiting";
    if (piece === null || isDisconnected(response)) return "over";
    if (!write(response, piece)) return "full";
  }
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
