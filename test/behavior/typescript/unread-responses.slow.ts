import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createSendLimits } from "../../../runtime/typescript/server/model/pace.js";
import { PacedStream } from "../../../runtime/typescript/server/responses/paced-stream.js";
import {
  nextPiece,
  takeFrom,
} from "../../../runtime/typescript/server/responses/taking.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { drawSome } from "../../support/draw-some.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { hosts, listenerHost } from "./hosts.js";
import { plainRow } from "./sample-server.js";

/** More than any buffer between a server and its client. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
  });

const methodNamed = (name: string) =>
  ({
    ...plainRow,
    service: "API",
    name,
    handler: ["api", name],
    route: { kind: "rpc", path: `/rpc/API/${name}` },
  }) as const;

/** Creates a server with large responses of each kind. */
function createLarge(sendTimeoutMs = 300): RpcServer {
  const options = {
    sendTimeoutMs,
    maxConcurrent: 1,
    onError: () => undefined,
    handlers: {
      api: {
        ping: () => ({}),
        whole: () => ({ text: "x".repeat(20_000_000) }),
        file: () => ({ file: { type: "", stream: endless } }),
        async *items() {
          for (;;) yield { text: "x".repeat(500_000) };
        },
      },
    },
  };
  return createServer(options, [
    methodNamed("ping"),
    methodNamed("whole"),
    { ...methodNamed("items"), isStream: true },
    { ...methodNamed("file"), checkResponse: null, download: "file" },
  ]);
}

const json = { "content-type": "application/json" };

const bodies = ["whole", "file", "items"];

// `npm test` draws one body for each host. It takes megabytes of a body until no
// buffer takes more.
const places = [...hosts, listenerHost].map((host, index) => ({
  ...host,
  bodies: drawSome(bodies, bodies.length, index),
}));

// Most of these tests wait.
describe.concurrent.each(places)("$name", ({ start, bodies }) => {
  it.for(bodies)(
    "occupies a slot until the client has read its %s",
    async (method, { expect, onTestFinished }) => {
      const host = await start(createLarge(60_000));
      onTestFinished(() => host.close());
      const call = (name: string): Promise<Response> => {
        const init = { method: "POST", headers: json, body: "{}" };
        return host.fetch(`http://host/rpc/API/${name}`, init);
      };
      const answer = await call(method);
      const reader = answer.body?.getReader();
      await reader?.read();
      expect((await call("ping")).status).toBe(503);
      await reader?.cancel().catch(() => undefined);
      await expect.poll(async () => (await call("ping")).status).toBe(200);
    },
  );

  it.for(bodies)(
    "frees the slot of a client that does not read its %s",
    async (method, { expect, onTestFinished }) => {
      const host = await start(createLarge());
      onTestFinished(() => host.close());
      const call = (name: string): Promise<Response> => {
        const init = { method: "POST", headers: json, body: "{}" };
        return host.fetch(`http://host/rpc/API/${name}`, init);
      };
      // Nothing reads the rest. Keep it, so that it is not collected.
      const unread = (await call(method)).body?.getReader();
      await unread?.read();
      const statusOf = async (): Promise<number> => {
        const answer = await call("ping");
        await answer.text();
        return answer.status;
      };
      await expect.poll(statusOf).toBe(200);
      await unread?.cancel().catch(() => undefined);
    },
  );
});

it.each(bodies)(
  "frees the slot if middleware drops the response with its %s",
  async (method) => {
    const server = createLarge();
    const call = (name: string): Promise<Response> => {
      const init = { method: "POST", headers: json, body: "{}" };
      return server.fetch(new Request(`http://host/rpc/API/${name}`, init));
    };
    // Keep it, so that it is not collected.
    const dropped = await call(method);
    expect((await call("ping")).status).toBe(503);
    await expect.poll(async () => (await call("ping")).status).toBe(200);
    await expect(dropped.text()).rejects.toMatchObject({
      cause: "the client took the response too slowly",
    });
  },
);

/** Opens a connection that asks for a response and reads nothing. */
async function askAndIgnore(port: number, method: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  socket.write(
    `POST /rpc/API/${method} HTTP/1.1\r\nHost: a\r\n` +
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
  );
}

it.each(bodies)(
  "closes the connection of a client that does not read its %s",
  async (method) => {
    const http = createHttpServer(toNodeHandler(createLarge()));
    const { port } = await listenForTest(http);
    const connected = once(http, "connection") as Promise<[Socket]>;
    await askAndIgnore(port, method);
    const [socket] = await connected;
    await expect.poll(() => socket.destroyed).toBe(true);
  },
);

it.each(bodies)(
  "resets an HTTP/2 stream whose %s the client does not read",
  async (method) => {
    const http = createHttp2(toNodeHandler(createLarge()));
    const { port } = await listenForTest(http);
    const client = connectHttp2(`http://127.0.0.1:${String(port)}`);
    onTestFinished(() => client.destroy());
    const path = `/rpc/API/${method}`;
    const stream = client.request({
      ":method": "POST",
      ":path": path,
      ...json,
    });
    stream.on("error", () => undefined);
    stream.end("{}");
    stream.pause();
    // `once` of node:events would reject.
    await new Promise((resolve) => stream.once("close", resolve));
    expect(stream.rstCode).not.toBe(0);
  },
);

describe("a paced stream", () => {
  const createPaced = (pieces: (string | Uint8Array | null)[]) => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const reasons: unknown[] = [];
    const source = {
      take: takeFrom(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5000));
        return pieces.shift() ?? null;
      }),
      cancel: (reason?: Error) => void reasons.push(reason),
    };
    const onSlow = vi.fn();
    const stream = new PacedStream(source, createSendLimits(1000, 100));
    stream.onSlow = onSlow;
    const next = async (): Promise<string | Uint8Array | null> => {
      const piece = nextPiece(stream);
      await vi.advanceTimersByTimeAsync(5000);
      return piece;
    };
    return { next, onSlow, reasons, stream };
  };

  it("does not count the time in which there is nothing to send", async () => {
    const { next, onSlow } = createPaced(["a", "b"]);
    expect([await next(), await next(), await next()]).toEqual([
      "a",
      "b",
      null,
    ]);
    expect(onSlow).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends if the client does not take a piece in time", async () => {
    const { next, onSlow, reasons, stream } = createPaced(["a", "b"]);
    await next();
    await vi.advanceTimersByTimeAsync(990);
    expect(onSlow).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(onSlow).toHaveBeenCalledTimes(1);
    const cause = "the client took the response too slowly";
    expect(reasons).toMatchObject([
      { name: "WebrpcClientDisconnected", cause },
    ]);
    await Promise.all([
      expect(nextPiece(stream)).rejects.toMatchObject({ cause }),
      vi.advanceTimersByTimeAsync(5000),
    ]);
  });

  it("ends if the client takes less than the minimum rate", async () => {
    const { next, onSlow } = createPaced(Array<string>(9).fill("0123456789"));
    // Each piece adds 100 ms, and the client takes 400.
    for (let taken = 0; taken < 2; taken += 1) {
      await next();
      await vi.advanceTimersByTimeAsync(400);
    }
    expect(onSlow).toHaveBeenCalledTimes(0);
    await next();
    await vi.advanceTimersByTimeAsync(400);
    expect(onSlow).toHaveBeenCalledTimes(1);
  });

  it("grants no more time to a client that has taken much", async () => {
    const { next, onSlow } = createPaced([new Uint8Array(50_000), "b"]);
    await next();
    await next();
    await vi.advanceTimersByTimeAsync(1010);
    expect(onSlow).toHaveBeenCalledTimes(1);
  });

  const readAll = async (
    content: string | Uint8Array,
  ): Promise<(string | Uint8Array)[]> => {
    const { stream } = createPaced([content]);
    const pieces: (string | Uint8Array)[] = [];
    const read = async (): Promise<void> => {
      for (;;) {
        const piece = await nextPiece(stream);
        if (piece === null) return;
        pieces.push(piece);
      }
    };
    await Promise.all([read(), vi.advanceTimersByTimeAsync(20_000)]);
    return pieces;
  };

  it.each([
    ["a text", "ä".repeat(100_000)],
    ["pairs of surrogates", `a${"😀".repeat(50_000)}`],
    ["bytes", new Uint8Array(200_000).fill(7)],
  ])("divides %s without changing the content", async (_name, content) => {
    const pieces = (await readAll(content)).map((each) => Buffer.from(each));
    expect(Buffer.concat(pieces).equals(Buffer.from(content))).toBe(true);
    const longest = Math.max(...pieces.map(({ byteLength }) => byteLength));
    expect(longest).toBeGreaterThan(40_000);
    expect(longest).toBeLessThanOrEqual(65_536);
  });

  it("leaves encoding a long text to the host", async () => {
    for (const piece of await readAll("a".repeat(200_000))) {
      expect(typeof piece).toBe("string");
    }
  });

  it("leaves no timer after it is canceled", async () => {
    const { next, stream } = createPaced(["a"]);
    await next();
    stream.cancel();
    await vi.advanceTimersByTimeAsync(1100);
    expect(vi.getTimerCount()).toBe(0);
  });
});
