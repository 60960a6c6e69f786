import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { toExpressHandler } from "../../runtime/express.js";
import { toFastifyPlugin } from "../../runtime/fastify.js";
import { toHonoHandler } from "../../runtime/hono.js";
import { toLambdaHandler } from "../../runtime/lambda.js";
import { toNodeListener } from "../../runtime/node-listener.js";
import { toNodeHandler } from "../../runtime/node.js";
import type { RpcServer } from "../../runtime/server.js";

/** A request as a test writes it. */
export interface Sent {
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** An answer as a test reads it. */
export interface Received {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** A server that is running. */
export interface Running {
  readonly send: (sent: Sent) => Promise<Received>;
  /** Goes to the server, whatever the host of the URL is. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** One way to host an RpcServer. */
export interface TestHost {
  readonly name: string;
  /** Whether it leaves every malformed request to the RpcServer. */
  readonly passesAll: boolean;
  readonly start: (server: RpcServer) => Promise<Running>;
}

/** Every way to host an RpcServer. */
export const hosts: readonly TestHost[] = [
  { name: "fetch", passesAll: true, start: startFetch },
  {
    name: "node:http",
    passesAll: true,
    start: (server) => listen(createHttpServer(toNodeHandler(server))),
  },
  {
    name: "fetch on node:http",
    passesAll: true,
    start: (server) =>
      listen(
        createHttpServer(
          toNodeListener((request) => {
            // A request that has been changed has to go all the way.
            request.headers.set("x-changed", "yes");
            return server.fetch(request);
          }),
        ),
      ),
  },
  { name: "Hono", passesAll: true, start: startHono },
  { name: "Fastify", passesAll: false, start: startFastify },
  {
    name: "Express",
    passesAll: true,
    start: (server) => {
      const app = express();
      app.use(toExpressHandler(server));
      return listen(createHttpServer(app));
    },
  },
];

/** `node:http` by the entry of a server that knows the host's requests. */
export const listenerHost: TestHost = {
  name: "node:http by toNodeListener",
  passesAll: true,
  start: (server) => listen(createHttpServer(toNodeListener(server.fetch))),
};

/** A host that answers when all of the answer is there. */
export const lambdaHost: TestHost = {
  name: "AWS Lambda",
  passesAll: true,
  start: startLambda,
};

/** Sends what a function URL makes of a request. */
function startLambda(server: RpcServer): Promise<Running> {
  const handler = toLambdaHandler(server);
  const send = async ({ verb, path, headers, body }: Sent) => {
    const [rawPath = "", ...query] = path.split("?");
    const names = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    const answer = await handler({
      rawPath,
      rawQueryString: query.join("?"),
      headers: Object.fromEntries(names),
      requestContext: { http: { method: verb } },
      isBase64Encoded: true,
      ...(body !== null && { body: Buffer.from(body).toString("base64") }),
    });
    return {
      status: answer.statusCode,
      header: (name: string) => answer.headers[name] ?? null,
      text: Buffer.from(
        answer.body,
        answer.isBase64Encoded ? "base64" : "utf8",
      ).toString(),
    };
  };
  return Promise.resolve({
    send,
    fetch: (url, init) => server.fetch(new Request(url, init)),
    close: () => Promise.resolve(),
  });
}

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

/** Hono puts others into their places, for as long as the process lives. */
const { Request: WebRequest, Response: WebResponse } = globalThis;

async function startHono(server: RpcServer): Promise<Running> {
  const app = new Hono();
  app.all("/*", toHonoHandler(server));
  const running = serve({ fetch: app.fetch, port: 0 });
  await once(running, "listening");
  return runningOn(running.address(), async () => {
    if ("closeAllConnections" in running) running.closeAllConnections();
    running.close();
    await once(running, "close");
    // Tests of other files come next in this process.
    globalThis.Request = WebRequest;
    globalThis.Response = WebResponse;
  });
}

async function startFastify(server: RpcServer): Promise<Running> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(toFastifyPlugin(server));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return runningOn(app.server.address(), () => app.close());
}

/** Starts a node server on a free port. */
export async function listen(server: Server): Promise<Running> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return runningOn(server.address(), async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
}

function runningOn(
  address: AddressInfo | string | null,
  close: () => Promise<void>,
): Running {
  if (address === null || typeof address === "string") {
    throw new TypeError("not listening on a port");
  }
  const { port } = address;
  return {
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
