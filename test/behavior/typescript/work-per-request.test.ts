import { createHook } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { expect, it } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createServer as createRpcServer } from "../../../runtime/typescript/codegen/create-server.js";
import { sampleMethods, sampleOptions } from "./sample-server.js";

// Time depends on the machine, so these tests count the work of a request. A
// higher count makes every small call slower: measure it before you accept it.

const { createState: _, ...options } = sampleOptions;
const server = createRpcServer(options, sampleMethods);
const body = '{"a":"b"}';
const headers = {
  "content-type": "application/json",
  "content-length": String(body.length),
};

/** Counts how often each property of an object is read. */
function counted<Value extends object>(
  value: Value,
  counts: Record<string, number>,
): Value {
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === "string") counts[key] = (counts[key] ?? 0) + 1;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Runs `work` and counts the promises and timers that it creates. */
async function countResources(
  work: () => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const hook = createHook({
    init: (_id, type) => void (counts[type] = (counts[type] ?? 0) + 1),
  });
  // The first requests start the shared timers.
  await work();
  hook.enable();
  await work();
  hook.disable();
  return { promises: counts["PROMISE"] ?? 0, timers: counts["Timeout"] ?? 0 };
}

/** A request and a response as Node creates them, without a connection. */
function fakeExchange() {
  const request = Object.assign(new EventEmitter(), {
    method: "POST",
    url: "/rpc/API/Echo",
    headers,
    httpVersionMajor: 1,
    readableEnded: false,
    pause() {},
    resume() {},
    destroy() {},
  });
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    writableLength: 0,
    setHeader() {},
    writeHead() {},
    write: () => true,
    destroy() {},
    end: () => response.emit("finish"),
  });
  return { request, response };
}

it("creates few promises and no timers for a request on Node", async () => {
  const handler = toNodeHandler(server);
  const counts = await countResources(
    () =>
      new Promise((resolve) => {
        const { request, response } = fakeExchange();
        response.on("finish", resolve);
        handler(request, response);
        request.emit("data", Buffer.from(body));
        request.readableEnded = true;
        request.emit("end");
      }),
  );
  expect(counts).toEqual({ promises: 7, timers: 0 });
});

it("creates few promises and no timers for a web-standard request", async () => {
  const bytes = new TextEncoder().encode(body).buffer;
  const counts = await countResources(async () => {
    const request: Request = Object.create(Request.prototype, {
      method: { value: "POST" },
      url: { value: "http://host/rpc/API/Echo" },
      headers: { value: new Headers(headers) },
      bodyUsed: { value: false },
      arrayBuffer: { value: () => Promise.resolve(bytes) },
    });
    await server.fetch(request);
  });
  expect(counts).toEqual({ promises: 13, timers: 0 });
});

it("touches neither body nor signal of a small request on @hono/node-server", async () => {
  const counts: Record<string, number> = {};
  const symbols: (string | undefined)[] = [];
  const listener = getRequestListener(
    async (request) => {
      const answer = await server.fetch(counted(request, counts));
      const own = Object.getOwnPropertySymbols(request);
      symbols.push(...own.map(({ description }) => description));
      return answer;
    },
    { overrideGlobalObjects: false },
  );
  const { port } = await listenForTest(createServer(listener));
  const path = "/rpc/API/Echo";
  const outgoing = sendRequest({ port, path, method: "POST", headers });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  incoming.resume();
  expect(incoming.statusCode).toBe(200);
  expect(counts).toEqual({
    arrayBuffer: 1,
    bodyUsed: 1,
    endsByClose: 1,
    headers: 4,
    method: 1,
    url: 1,
  });
  // The host's web-standard request, which costs more than a small call.
  expect(symbols).not.toContain("requestCache");
  expect(symbols).not.toContain("abortController");
});
