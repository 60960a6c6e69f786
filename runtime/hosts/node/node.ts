import { Buffer } from "node:buffer";

import { NodeExchange } from "./exchange.js";
import {
  type NodeRequest,
  type NodeResponse,
  breakOff,
  isDisconnected,
} from "./messages.js";
import type {
  BodyStream,
  RpcServer,
  ServerResponse,
} from "../../server/model/exchange.js";

export { NodeExchange } from "./exchange.js";
export type { NodeRequest, NodeResponse } from "./messages.js";

/**
 * Returns a listener for `http.createServer`, `https.createServer`, and
 * `http2.createSecureServer`.
 */
export function toNodeHandler(
  server: RpcServer,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) =>
    answerExchange(server, new NodeExchange(request, response), response);
}

/** Responds to a Node request. */
export function answerExchange(
  server: RpcServer,
  exchange: NodeExchange,
  response: NodeResponse,
): void {
  void server.handle(exchange).then((answer) => {
    const { stream } = answer;
    if (stream === undefined) send(exchange, answer, response);
    else
      sendStream(exchange, answer, stream, response).catch(() => {
        breakOff(response);
      });
  });
}

/** Sends a response, unless the client has disconnected. */
export function send(
  exchange: NodeExchange,
  { status, headers, body }: ServerResponse,
  response: NodeResponse,
): void {
  exchange.isAnswered = true;
  if (response.headersSent || isDisconnected(response)) return;
  const byteLength = Buffer.byteLength(body);
  response.writeHead(status, exchange.headersOf(headers, byteLength));
  // ASCII needs no encoding, and skipping it is faster for long bodies.
  response.end(body, byteLength === body.length ? "latin1" : "utf8");
}

/** The status and headers of a response whose body follows in pieces. */
export interface NodeHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Sends a body in pieces. Waits while the connection's buffer is full. */
export async function sendStream(
  exchange: NodeExchange,
  { status, headers }: NodeHead,
  stream: BodyStream,
  response: NodeResponse,
): Promise<void> {
  if (response.headersSent || isDisconnected(response)) return stream.cancel();
  let goOn = (): void => {};
  response.on("drain", () => goOn());
  response.on("close", () => {
    stream.cancel();
    goOn();
  });
  response.writeHead(status, { ...headers, ...exchange.connectionHeaders });
  for (;;) {
    const piece = await stream.next();
    if (piece === null || isDisconnected(response)) break;
    if (response.write(toBytes(piece))) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (isDisconnected(response)) resolve();
    });
  }
  exchange.isAnswered = true;
  response.end();
}

/**
 * Encodes strings. If several strings are queued and one of them is empty,
 * HTTP/2 in Node 20 sends overwritten memory.
 */
function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece) : piece;
}
