import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import type { ServerOptions } from "../../../runtime/typescript/server/server.js";
import { networkOf } from "../../../runtime/typescript/server/tenant.js";
import { startTenantServer, type TenantServer } from "./tenant-server.js";

async function start(options: ServerOptions): Promise<TenantServer> {
  const server = await startTenantServer(options);
  onTestFinished(() => server.close());
  return server;
}

it("gives no slot to a request whose body is still arriving", async () => {
  const server = await start({ maxConcurrent: 2 });
  await server.openSlow("slow", 50);
  expect(await server.call("slow")).toBe(200);
  expect(await server.call("other")).toBe(200);
});

it.each([
  ["arrives too slowly", "408", []],
  ["becomes too slow after the response", "504", ["Request-Timeout-Ms: 5"]],
])("closes the connection if a body %s", async (_, status, headers) => {
  const server = await start({ bodyTimeoutMs: 100 });
  const [socket] = await server.openSlow("slow", 1, ...headers);
  if (socket === undefined) throw new Error("no connection is open");
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  // Without these bytes, the connection would also be closed as idle.
  let left = 99;
  const timer = setInterval(() => {
    left -= 1;
    socket.write("x");
  }, 50);
  // Unlike `once` of node:events, this accepts a connection reset, which the
  // client sees if it sends bytes after the server has closed the connection.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(timer);
  expect(left).toBeGreaterThan(0);
  expect(text).toContain(`HTTP/1.1 ${status} `);
  const announced = status === "408" ? "close" : "keep-alive";
  expect(text.toLowerCase()).toContain(`\r\nconnection: ${announced}\r\n`);
});

it("limits how many of a tenant's request bodies arrive at once", async () => {
  const server = await start({ maxBodiesPerTenant: 3, bodyTimeoutMs: 60_000 });
  const sockets = await server.openSlow("slow", 3);
  await expect.poll(() => server.call("slow")).toBe(429);
  expect(await server.call("other")).toBe(200);
  sockets[0]?.end("x".repeat(99));
  await expect.poll(() => server.call("slow")).toBe(200);
});

it("stops counting an unfinished body when its request has a response", async () => {
  const server = await start({ maxBodiesPerTenant: 1, bodyTimeoutMs: 60_000 });
  const sockets = await server.openSlow("slow", 1, "Request-Timeout-Ms: 5");
  for (const socket of sockets) {
    expect(String(await once(socket, "data"))).toContain("HTTP/1.1 504");
  }
  expect(await server.call("slow")).toBe(200);
});

it("limits how many of a tenant's requests run at once", async () => {
  const server = await start({ maxConcurrentPerTenant: 2 });
  const running = [1, 2].map(() => server.call("busy", "wait"));
  await expect.poll(server.waitingCount).toBe(2);
  expect(await server.call("busy")).toBe(429);
  expect(await server.call("other")).toBe(200);
  server.release();
  expect(await Promise.all(running)).toEqual([200, 200]);
  expect(await server.call("busy")).toBe(200);
});

it("uses the `tenant` option to determine the tenant", async () => {
  const seen: string[] = [];
  const server = await start({
    maxConcurrentPerTenant: 1,
    tenant: (context, request) => {
      seen.push(`${context.method} ${request.address ?? ""}`);
      return context.header("x-key")?.slice(0, 1) ?? null;
    },
  });
  const running = server.call("a1", "wait");
  await expect.poll(server.waitingCount).toBe(1);
  expect(await server.call("a2")).toBe(429);
  expect(await server.call("b1")).toBe(200);
  server.release();
  expect(await running).toBe(200);
  expect(seen).toEqual([
    "Wait 127.0.0.1",
    "Answer 127.0.0.1",
    "Answer 127.0.0.1",
  ]);
});

it("never returns 429 for a request whose tenant is unknown", async () => {
  const server = await start({ maxConcurrentPerTenant: 1, tenant: () => null });
  const running = [1, 2, 3].map(() => server.call("a", "wait"));
  await expect.poll(server.waitingCount).toBe(3);
  server.release();
  expect(await Promise.all(running)).toEqual([200, 200, 200]);
});

it("queues requests, and reports how many are queued", async () => {
  let waiting = 0;
  const server = await start({
    maxConcurrent: 1,
    maxQueued: 2,
    queueMs: 60_000,
    onQueue: (change) => (waiting += change),
  });
  const running = server.call("a", "wait");
  await expect.poll(server.waitingCount).toBe(1);
  const queued = [server.call("a"), server.call("b")];
  await expect.poll(() => waiting).toBe(2);
  server.release();
  expect(await Promise.all([running, ...queued])).toEqual([200, 200, 200]);
  expect(waiting).toBe(0);
});

it("serves queued requests even if `onQueue` throws", async () => {
  const changes: number[] = [];
  const server = await start({
    maxConcurrent: 1,
    maxQueued: 1,
    onQueue: (change) => {
      changes.push(change);
      throw new Error("onQueue");
    },
  });
  const running = server.call("a", "wait");
  await expect.poll(server.waitingCount).toBe(1);
  const queued = server.call("a");
  await expect.poll(() => changes).toEqual([1]);
  server.release();
  expect(await Promise.all([running, queued])).toEqual([200, 200]);
  expect(changes).toEqual([1, -1]);
});

it("reads other tenants' requests between one tenant's handlers", async () => {
  const server = await start({
    maxConcurrent: 100,
    maxQueued: 100,
    queueMs: 60_000,
  });
  const order: string[] = [];
  const call = async (key: string): Promise<void> => {
    expect(await server.call(key, "busy")).toBe(200);
    order.push(key);
  };
  const callAll = () =>
    Promise.all([...Array<string>(40).fill("many"), "one"].map(call));
  // Opens the connections.
  await callAll();
  // On a busy machine, the last request can arrive after some responses.
  await expect
    .poll(async () => {
      order.length = 0;
      await callAll();
      return order.indexOf("one");
    })
    .toBeLessThan(20);
});

it("answers a queued request when its own deadline passes", async () => {
  const server = await start({
    methods: { "API/Answer": { timeoutMs: 30 } },
    maxConcurrent: 1,
    maxQueued: 1,
    queueMs: 60_000,
  });
  const running = server.call("a", "wait");
  await expect.poll(server.waitingCount).toBe(1);
  expect(await server.call("a")).toBe(504);
  server.release();
  expect(await running).toBe(200);
  expect(await server.call("a")).toBe(200);
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8:1:2:3::6", "2001:db8:1:2"],
  ["::1", "0:0:0:0"],
])("treats %s as a client of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
