import { EventEmitter, once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type Server,
} from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2,
} from "node:http2";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  closeGracefully,
  trackSessions,
} from "../../../runtime/typescript/hosts/node/shutdown.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createSampleServer, sampleOptions } from "./sample-server.js";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * Creates a server whose `Ping` waits until it is released or its signal is
 * aborted.
 */
function createWaiting() {
  let started = 0;
  let release = (): void => undefined;
  const reasons: unknown[] = [];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createSampleServer({
    handlers: {
      ...sampleOptions.handlers,
      api: {
        ...sampleOptions.handlers["api"],
        ping: async (_request, { signal }) => {
          started += 1;
          const aborted = new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => {
              reasons.push(signal.reason);
              resolve();
            });
          });
          await Promise.race([released, aborted]);
          return {};
        },
      },
    },
  });
  return { server, reasons, release, started: () => started };
}

/** Calls `Ping` with POST. Returns the status and the `Connection` header. */
async function post(port: number, agent: Agent) {
  const path = "/rpc/API/Ping";
  const outgoing = sendRequest({ port, path, agent, method: "POST" });
  outgoing.end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  incoming.resume();
  await once(incoming, "end");
  return [incoming.statusCode, incoming.headers.connection];
}

async function ping(port: number, agent: Agent): Promise<number> {
  return Number((await post(port, agent))[0]);
}

function createAgent(): Agent {
  // Connections stay open until the server closes them.
  const agent = new Agent({ keepAlive: true });
  closing.push(() => {
    agent.destroy();
  });
  return agent;
}

async function startWaiting() {
  const waiting = createWaiting();
  const http: Server = createServer(toNodeHandler(waiting.server));
  http.keepAliveTimeout = 60_000;
  const { port } = await listenForTest(http);
  return { ...waiting, http, port, agent: createAgent() };
}

describe("closeGracefully", () => {
  it("waits for running requests and accepts no new ones", async () => {
    const { http, port, agent, release, started, reasons } =
      await startWaiting();
    const running = ping(port, agent);
    await expect.poll(started).toBe(1);
    const closed = closeGracefully(http);
    await expect(ping(port, createAgent())).rejects.toThrow("ECONNREFUSED");
    release();
    expect(await running).toBe(200);
    // Unless it is closed, the agent's connection stays open for a minute.
    expect(await closed).toBe(true);
    expect(reasons).toEqual([]);
  });

  it("closes idle connections", async () => {
    const { http, port, agent, release } = await startWaiting();
    release();
    expect(await ping(port, agent)).toBe(200);
    expect(await closeGracefully(http)).toBe(true);
  });

  it("answers requests that arrive on open connections, and then closes those connections", async () => {
    const { http, port, agent, release } = await startWaiting();
    release();
    expect(await post(port, agent)).toEqual([200, "keep-alive"]);
    const closed = closeGracefully(http, { idleMs: 60_000 });
    expect(await post(port, agent)).toEqual([200, "close"]);
    expect(await closed).toBe(true);
  });

  it("closes connections after their running requests have ended", async () => {
    const { http, port, agent, release, started } = await startWaiting();
    const running = post(port, agent);
    await expect.poll(started).toBe(1);
    const closed = closeGracefully(http, { idleMs: 60_000 });
    release();
    expect(await running).toEqual([200, "close"]);
    expect(await closed).toBe(true);
  });

  it("closes the connections of a server that does not use `toNodeHandler`", async () => {
    const http = createServer((_, response) => response.end());
    const { port } = await listenForTest(http);
    const agent = createAgent();
    expect(await post(port, agent)).toEqual([200, "keep-alive"]);
    const closed = closeGracefully(http, { idleMs: 60_000 });
    expect(await post(port, agent)).toEqual([200, "close"]);
    expect(await closed).toBe(true);
  });

  it("cuts off requests that do not end, and notifies their handlers", async () => {
    const { http, port, agent, started, reasons } = await startWaiting();
    const running = ping(port, agent);
    const broken = expect(running).rejects.toThrow("socket hang up");
    await expect.poll(started).toBe(1);
    expect(await closeGracefully(http, { graceMs: 50 })).toBe(false);
    await broken;
    await expect.poll(() => reasons).toHaveLength(1);
    expect(reasons[0]).toMatchObject({ name: "WebrpcClientDisconnected" });
  });

  it("ends although an upgraded connection is open", async () => {
    const http = createServer();
    http.on("upgrade", (_request, socket) => {
      socket.on("error", () => undefined);
      closing.push(() => socket.destroy());
      socket.write("HTTP/1.1 101 Switching Protocols\r\n");
      socket.write("Connection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    });
    const { port } = await listenForTest(http);
    const headers = { connection: "Upgrade", upgrade: "echo" };
    const outgoing = sendRequest({ port, headers });
    outgoing.end();
    const [, socket] = (await once(outgoing, "upgrade")) as [unknown, Duplex];
    closing.push(() => socket.destroy());
    expect(await closeGracefully(http, { graceMs: 50 })).toBe(false);
  });

  it("succeeds for a server that is not running", async () => {
    expect(await closeGracefully(createServer())).toBe(true);
  });

  it("leaves no timer that keeps the process alive", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await closeGracefully(createServer());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("closeGracefully with HTTP/2", () => {
  async function startHttp2() {
    const waiting = createWaiting();
    const http = createHttp2(toNodeHandler(waiting.server));
    const sessions = trackSessions(http);
    const { port } = await listenForTest(http);
    const client = connectHttp2(`http://127.0.0.1:${String(port)}`);
    client.on("error", () => undefined);
    closing.push(() => {
      client.destroy();
    });
    const stream = client.request({
      ":method": "POST",
      ":path": "/rpc/API/Ping",
    });
    stream.on("error", () => undefined);
    stream.end();
    await expect.poll(waiting.started).toBe(1);
    return { ...waiting, http, sessions, stream };
  }

  it("waits for running streams", async () => {
    const { http, sessions, stream, release } = await startHttp2();
    // The session and its connection.
    expect(sessions.size).toBe(2);
    const closed = closeGracefully(http, { sessions });
    const answered = once(stream, "response");
    release();
    const [headers] = (await answered) as [Record<string, unknown>];
    expect(headers[":status"]).toBe(200);
    stream.resume();
    expect(await closed).toBe(true);
    await expect.poll(() => sessions.size).toBe(0);
  });

  it("closes the connection of a client that does not read its response", async () => {
    const { http, sessions, stream, release } = await startHttp2();
    const closed = closeGracefully(http, { graceMs: 200, sessions });
    release();
    await once(stream, "response");
    expect(await closed).toBe(false);
    const count = promisify(http.getConnections.bind(http));
    await expect.poll(() => count()).toBe(0);
  });

  it("ends although the sessions are unknown", async () => {
    const { http } = await startHttp2();
    expect(await closeGracefully(http, { graceMs: 50 })).toBe(false);
  });

  it("cuts off streams that do not end", async () => {
    const { http, sessions, reasons } = await startHttp2();
    expect(await closeGracefully(http, { graceMs: 50, sessions })).toBe(false);
    await expect.poll(() => reasons).toHaveLength(1);
  });

  it("closes sessions that start while it waits", async () => {
    const server = new EventEmitter();
    const sessions = trackSessions(server);
    const closed = closeGracefully(
      { close: (over) => server.once("over", over) },
      { graceMs: 60, sessions },
    );
    const seen: string[] = [];
    server.emit(
      "session",
      Object.assign(new EventEmitter(), {
        close: () => seen.push("close"),
        destroy: () => {
          seen.push("destroy");
          server.emit("over");
        },
      }),
    );
    expect(await closed).toBe(false);
    expect(seen[0]).toBe("close");
    expect(seen.at(-1)).toBe("destroy");
  });
});
