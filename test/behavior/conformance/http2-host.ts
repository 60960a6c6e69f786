import {
  connect,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from "node:http2";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import type { Received, Running, Sent, TestHost } from "../typescript/hosts.js";
import { listen } from "../../support/listen.js";

/** Starts a server with `node:http2`, and sends all requests in one session. */
export const http2Host: TestHost = {
  name: "node:http2",
  passesAll: true,
  start: startHttp2,
};

async function startHttp2(server: RpcServer): Promise<Running> {
  const handler = toNodeHandler(server);
  const http2 = createServer((request, response) => handler(request, response));
  const { url, close } = await listen(http2);
  return runningOverHttp2(url, close);
}

/** Returns the running server at an address, with all requests in one session. */
export function runningOverHttp2(
  url: string,
  close: () => Promise<void>,
): Running {
  const session = connect(url);
  return {
    send: (sent) => sendOver(session, sent),
    fetch: (url, init) => fetchOver(session, url, init),
    close: async () => {
      session.destroy();
      await close();
    },
  };
}

function open(session: ClientHttp2Session, sent: Sent): ClientHttp2Stream {
  const headers = {
    ":method": sent.verb,
    ":path": sent.path,
    ...Object.fromEntries(
      Object.entries(sent.headers).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    ),
  };
  // By default, Node sends no body with DELETE.
  const stream = session.request(headers, { endStream: false });
  stream.end(sent.body ?? undefined);
  return stream;
}

function headersOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    stream.on("response", resolve);
    stream.on("error", reject);
  });
}

async function sendOver(
  session: ClientHttp2Session,
  sent: Sent,
): Promise<Received> {
  const stream = open(session, sent);
  const headers = await headersOf(stream);
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return {
    status: Number(headers[":status"]),
    header: (name) => {
      const value = headers[name];
      return typeof value === "string" ? value : null;
    },
    text: Buffer.concat(parts).toString(),
  };
}

/** Implements the part of `fetch` that clients use. */
async function fetchOver(
  session: ClientHttp2Session,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { signal, body, method = "GET" } = init;
  signal?.throwIfAborted();
  const { pathname, search } = new URL(url);
  const stream = open(session, {
    verb: method,
    path: pathname + search,
    headers: Object.fromEntries(new Headers(init.headers ?? {})),
    body: typeof body === "string" ? new TextEncoder().encode(body) : null,
  });
  const leave = (): void => {
    stream.destroy();
  };
  signal?.addEventListener("abort", leave);
  stream.on("close", () => signal?.removeEventListener("abort", leave));
  const headers = await headersOf(stream);
  let isLeft = false;
  const answer = new ReadableStream<Uint8Array>({
    start(controller) {
      const unlessLeft = (tell: () => void) => () => {
        if (!isLeft) tell();
      };
      stream.on("data", (part: Buffer) => {
        if (!isLeft) controller.enqueue(new Uint8Array(part));
      });
      stream.on(
        "end",
        unlessLeft(() => controller.close()),
      );
      stream.on(
        "error",
        unlessLeft(() => controller.error(new Error("the stream broke"))),
      );
    },
    cancel: () => {
      isLeft = true;
      leave();
    },
  });
  const plain = Object.entries(headers).filter(
    ([name]) => !name.startsWith(":"),
  );
  const status = Number(headers[":status"]);
  return new Response(status === 204 || status === 205 ? null : answer, {
    status,
    headers: plain.map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  });
}
