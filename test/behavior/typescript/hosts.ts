import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { toExpressHandler } from "../../../runtime/typescript/hosts/express.js";
import { toFastifyPlugin } from "../../../runtime/typescript/hosts/fastify.js";
import { toHonoHandler } from "../../../runtime/typescript/hosts/hono.js";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { listen } from "../../support/listen.js";

/** A request, as tests write it. */
export interface Sent {
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** A response, as tests read it. */
export interface Received {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** A running server. */
export interface Running {
  /** Absent if the server does not listen. */
  readonly port?: number;
  readonly send: (sent: Sent) => Promise<Received>;
  /** Calls the server, regardless of the host in the URL. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** A way to host an RpcServer. */
export interface TestHost {
  readonly name: string;
  /** Whether the host passes every malformed request to the RpcServer. */
  readonly passesAll: boolean;
  /**
   * Whether the RpcServer permits clients with `Expect` to send the body. A
   * server that gets web-standard requests reads the body that it refuses.
   */
  readonly permitsBodies?: boolean;
  readonly start: (server: RpcServer) => Promise<Running>;
}

/** The hosts on which most tests run. */
export const hosts: readonly TestHost[] = [
  { name: "fetch", passesAll: true, start: startFetch },
  {
    name: "node:http",
    passesAll: true,
    permitsBodies: true,
    start: (server) => runOnNode(toNodeHandler(server)),
  },
  {
    name: "fetch on node:http",
    passesAll: true,
    start: (server) =>
      runOnNode(
        toNodeListener((request) => {
          // The fast path does not support a modified request.
          request.headers.set("x-changed", "yes");
          return server.fetch(request);
        }),
      ),
  },
  { name: "Hono", passesAll: true, start: startHono },
  { name: "Fastify", passesAll: false, start: startFastify },
  {
    name: "Express",
    passesAll: true,
    permitsBodies: true,
    start: (server) => {
      const app = express();
      app.use(toExpressHandler(server, { unknownPaths: "answer" }));
      return runOnNode(app);
    },
  },
];

/**
 * Runs a server's fetch handler with `node:http`. The server recognizes the
 * host's requests.
 */
export const listenerHost: TestHost = {
  name: "node:http by toNodeListener",
  passesAll: true,
  start: (server) => runOnNode(toNodeListener(server.fetch)),
};

function startFetch(server: RpcServer): Promise<Running> {
  const send = async ({ verb, path, headers, body }: Sent) => {
    const init = { method: verb, headers, body: body && new Uint8Array(body) };
    const answer = await server.fetch(new Request(`http://host${path}`, init));
    return {
      status: answer.status,
      header: (name: string) => answer.headers.get(name),
      text: await answer.text(),
    };
  };
  return Promise.resolve({
    send,
    fetch: (url, init) => server.fetch(new Request(url, init)),
    close: () => Promise.resolve(),
  });
}

/** Hono replaces global objects for the lifetime of the process. */
const { Request: WebRequest, Response: WebResponse } = globalThis;

async function startHono(server: RpcServer): Promise<Running> {
  const app = new Hono();
  app.all("/*", toHonoHandler(server));
  const running = serve({ fetch: app.fetch, port: 0 });
  await once(running, "listening");
  return runningOn(portOf(running.address()), async () => {
    if ("closeAllConnections" in running) running.closeAllConnections();
    running.close();
    await once(running, "close");
    // Tests in other files run later in this process.
    globalThis.Request = WebRequest;
    globalThis.Response = WebResponse;
  });
}

async function startFastify(server: RpcServer): Promise<Running> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(toFastifyPlugin(server));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return runningOn(portOf(app.server.address()), () => app.close());
}

/** Starts a Node.js server whose listener permits clients to send bodies. */
function runOnNode(listener: RequestListener): Promise<Running> {
  return run(createHttpServer(listener).on("checkContinue", listener));
}

/** Starts a Node.js server on a free port. */
export async function run(server: Server): Promise<Running> {
  const { port, close } = await listen(server);
  return runningOn(port, close);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") {
    throw new TypeError("not listening on a port");
  }
  return address.port;
}

/** Returns the running server that listens on a local port. */
export function runningOn(port: number, close: () => Promise<void>): Running {
  return {
    port,
    send: (sent) => sendOverHttp(port, sent),
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      return fetch(`http://localhost:${port}${pathname}${search}`, init);
    },
    close,
  };
}

function sendOverHttp(port: number, sent: Sent): Promise<Received> {
  const { verb, path, headers, body } = sent;
  const length =
    body === null ? {} : { "Content-Length": String(body.byteLength) };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: "localhost",
      port,
      method: verb,
      path,
      headers: { ...length, ...headers },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        resolve({
          status: incoming.statusCode ?? 0,
          header: (name) => {
            const value = incoming.headers[name];
            return typeof value === "string" ? value : null;
          },
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.end(body ?? undefined);
  });
}
