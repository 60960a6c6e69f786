import { type EventEmitter, once } from "node:events";
import { createServer, request as sendRequest, Agent } from "node:http";
import type { IncomingMessage } from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from "../../../runtime/typescript/hosts/node/node.js";
import type {
  RpcServer,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import { listenForTest } from "../../support/listen-for-test.js";
import {
  createSampleServer,
  sampleOptions,
  type SampleOptions,
  type SampleState,
} from "./sample-server.js";
import { until } from "./stream-server.js";
import { createUploads, uploadHeaders } from "./upload-server.js";

/** A listener for node:http and node:http2. */
type Listener = (
  request: NodeRequest,
  response: NodeResponse & Pick<EventEmitter, "once">,
) => void;

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Opens a connection to a server, to send raw bytes. */
async function open(
  server: RpcServer,
  listener: Listener = toNodeHandler(server),
): Promise<Socket> {
  const { port } = await listenForTest(createServer(listener));
  const socket = connect(port, "127.0.0.1");
  closing.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const head = (length: number, connection = "close"): string =>
  [
    "POST /rpc/API/Echo HTTP/1.1",
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${String(length)}`,
    `Connection: ${connection}`,
    "\r\n",
  ].join("\r\n");

/**
 * Creates a server that does not answer a request until its client disconnects.
 */
function createHangingServer(
  create: (
    options: ServerOptions<SampleState>,
  ) => RpcServer = createSampleServer,
) {
  const waiting: (() => void)[] = [];
  const outcomes: (string | null)[] = [];
  const errors: unknown[] = [];
  const server = create({
    timeoutMs: Infinity,
    onError: (error) => errors.push(error),
    observe: () => (outcome) => outcomes.push(outcome.error),
    createState: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { caller: null };
    },
  });
  const handler = toNodeHandler(server);
  let closed = 0;
  const listener: Listener = (request, response) => {
    response.once("close", () => (closed += 1));
    handler(request, response);
  };
  const leave = async (go: () => void): Promise<void> => {
    await until(() => waiting.length === 1);
    const before = closed;
    go();
    await until(() => closed > before);
    waiting.shift()?.();
  };
  return { errors, leave, listener, outcomes, server };
}

/**
 * Creates a server whose Ping waits until its signal is aborted. Also returns
 * records of what happens.
 */
function createWaiting() {
  const seen: { reason: unknown }[] = [];
  const handlers: SampleOptions["handlers"] = {
    ...sampleOptions.handlers,
    api: {
      ...sampleOptions.handlers["api"],
      ping: async (_request, { signal }) => {
        started();
        if (!signal.aborted) await once(signal, "abort");
        seen.push({ reason: signal.reason });
        finished();
        signal.throwIfAborted();
      },
    },
  };
  let started = (): void => undefined;
  let finished = (): void => undefined;
  const hasStarted = new Promise<void>((resolve) => (started = resolve));
  const hasFinished = new Promise<void>((resolve) => (finished = resolve));
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const server = createSampleServer({ handlers, onError });
  return { server, seen, errors, hasStarted, hasFinished };
}

describe("bodies over node:http", () => {
  it("may arrive in pieces of any size", async () => {
    const socket = await open(createSampleServer());
    const bytes = Buffer.from('{"a":"grüße 🌍"}');
    socket.write(head(bytes.length));
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect(await readAll(socket)).toContain('{"a":"grüße 🌍"}');
  });

  it("may arrive without a length", async () => {
    const { port } = await listenForTest(
      createServer(toNodeHandler(createSampleServer())),
    );
    const headers = { "content-type": "application/json" };
    const path = "/rpc/API/Echo";
    const outgoing = sendRequest({ port, path, headers, method: "POST" });
    outgoing.write('{"a"');
    outgoing.end(":1}");
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(incoming.headers).toMatchObject({ "content-length": "7" });
    expect(String((await incoming.toArray()).join(""))).toBe('{"a":1}');
  });

  it("close the connection after the response if they are much too long", async () => {
    const socket = await open(createSampleServer());
    socket.on("error", () => undefined);
    socket.write(head(50_000_000, "keep-alive"));
    socket.write("{");
    const text = await readAll(socket);
    expect(text).toMatch(/^HTTP\/1.1 413 /u);
    expect(text).toMatch(/^connection: close/imu);
    expect(text).toContain("larger than 1000 bytes");
  });

  it("close the connection if they are endless and have no length", async () => {
    const { port } = await listenForTest(
      createServer(toNodeHandler(createSampleServer())),
    );
    const headers = { "content-type": "application/json" };
    const path = "/rpc/API/Echo";
    const outgoing = sendRequest({ port, path, headers, method: "POST" });
    outgoing.on("error", () => undefined);
    const piece = Buffer.alloc(64 * 1024, 0x20);
    const timer = setInterval(() => outgoing.write(piece), 0);
    const pump = (): void => {
      while (!outgoing.destroyed && outgoing.write(piece));
    };
    outgoing.on("drain", pump);
    pump();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    clearInterval(timer);
    expect(incoming.statusCode).toBe(413);
    expect(incoming.headers["connection"]).toBe("close");
    outgoing.destroy();
  });

  it("keep the connection open if they are only 2 MB too long", async () => {
    const { port } = await listenForTest(
      createServer(toNodeHandler(createSampleServer())),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closing.push(() => {
      agent.destroy();
    });
    const sockets = new Set<unknown>();
    for (let round = 0; round < 3; round += 1) {
      const headers = { "content-type": "application/json" };
      const path = "/rpc/API/Echo";
      const outgoing = sendRequest({
        agent,
        port,
        path,
        headers,
        method: "POST",
      });
      outgoing.on("socket", (socket) => sockets.add(socket));
      outgoing.end("x".repeat(2_000_000));
      const [incoming] = (await once(outgoing, "response")) as [
        IncomingMessage,
      ];
      expect(incoming.statusCode).toBe(413);
      await incoming.toArray();
    }
    expect(sockets.size).toBe(1);
  });

  it("reach neither a handler nor the log if they end early", async () => {
    const errors: unknown[] = [];
    const server = createSampleServer({
      onError: (error) => errors.push(error),
    });
    let answered = 0;
    const watched: RpcServer = {
      ...server,
      handle: async (request) => {
        const answer = await server.handle(request);
        answered += 1;
        expect(answer.body).toContain("WebrpcClientDisconnected");
        return answer;
      },
    };
    const socket = await open(watched);
    socket.write(`${head(100)}{"a":`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    await expect.poll(() => answered).toBe(1);
    expect(errors).toEqual([]);
  });

  it("are not read if the client has already disconnected", async () => {
    const { errors, leave, listener, outcomes, server } = createHangingServer();
    const whole = '{"a":1}';
    for (const sent of [whole, whole.slice(0, 3)]) {
      const socket = await open(server, listener);
      socket.write(head(whole.length) + sent);
      await leave(() => socket.destroy());
    }
    await expect.poll(() => outcomes).toHaveLength(2);
    expect(new Set(outcomes)).toEqual(new Set(["WebrpcClientDisconnected"]));
    expect(errors).toEqual([]);
  });

  it("are not read as an upload if the client has already disconnected", async () => {
    const { errors, leave, listener, outcomes, server } = createHangingServer(
      (options) => createUploads(() => ({}), options),
    );
    const socket = await open(server, listener);
    const upload = head(100).replace(/API.Echo/u, "Files/Upload");
    const { "content-type": type } = uploadHeaders;
    socket.write(upload.replace("application/json", type));
    await leave(() => socket.destroy());
    await expect.poll(() => outcomes).toEqual(["WebrpcClientDisconnected"]);
    expect(errors).toEqual([]);
  });
});

describe("signals over node:http", () => {
  it("are aborted when the client disconnects", async () => {
    const waiting = createWaiting();
    const socket = await open(waiting.server);
    socket.write("POST /rpc/API/Ping HTTP/1.1\r\nHost: x\r\n\r\n");
    await waiting.hasStarted;
    socket.destroy();
    await waiting.hasFinished;
    expect(waiting.seen).toHaveLength(1);
    expect(waiting.seen[0]?.reason).toMatchObject({
      name: "WebrpcClientDisconnected",
    });
    await new Promise(setImmediate);
    expect(waiting.errors).toEqual([]);
  });

  it("are aborted from the beginning if the client has disconnected", async () => {
    const reasons: unknown[] = [];
    let hasLeft = (): void => undefined;
    const left = new Promise<void>((resolve) => (hasLeft = resolve));
    let started = (): void => undefined;
    const hasStarted = new Promise<void>((resolve) => (started = resolve));
    const server = createSampleServer({
      createState: async (facts) => {
        started();
        await left;
        reasons.push(facts.signal.reason);
        return { caller: null };
      },
    });
    const handler = toNodeHandler(server);
    const socket = await open(server, (request, response) => {
      response.once("close", hasLeft);
      handler(request, response);
    });
    socket.write(`${head(2)}{}`);
    await hasStarted;
    socket.destroy();
    await expect
      .poll(() => reasons)
      .toMatchObject([{ name: "WebrpcClientDisconnected" }]);
  });

  it("are not aborted after the response", async () => {
    let signal: AbortSignal | null = null;
    const server = createSampleServer({
      createState: (facts) => {
        signal = facts.signal;
        return { caller: null };
      },
    });
    const socket = await open(server);
    socket.write(`${head(2)}{}`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 200 /u);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal).toMatchObject({ aborted: false });
  });
});

describe("headers over node:http", () => {
  it("are found regardless of case, and only if they were sent", async () => {
    const seen: (string | null)[] = [];
    const server = createSampleServer({
      createState: (facts) => {
        const names = ["HOST", "x-none", "constructor", "__proto__", "cookie"];
        seen.push(...names.map((name) => facts.header(name)));
        return { caller: null };
      },
    });
    const socket = await open(server);
    socket.write(`${head(2)}{}`);
    await readAll(socket);
    expect(seen).toEqual(["x", null, null, null, null]);
  });
});

describe("a response that another handler has already sent", () => {
  it("is not changed", async () => {
    const answer = toNodeHandler(createSampleServer());
    const server = createServer((request, response) => {
      response.writeHead(503).end("busy");
      answer(request, response);
    });
    const { port } = await listenForTest(server);
    const response = await fetch(
      `http://127.0.0.1:${String(port)}/rpc/API/Ping`,
    );
    expect([response.status, await response.text()]).toEqual([503, "busy"]);
  });
});

describe("HTTP/2", () => {
  async function connect(listener: Listener) {
    const { port } = await listenForTest(createHttp2(listener));
    const session = connectHttp2(`http://127.0.0.1:${String(port)}`);
    closing.push(() => {
      session.destroy();
    });
    return session;
  }

  async function post(path: string, body: string) {
    const session = await connect(toNodeHandler(createSampleServer()));
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/json",
      "x-access-key": "public-key",
    });
    stream.on("error", () => undefined);
    stream.end(body);
    const [headers] = (await once(stream, "response")) as [
      Record<string, string | number>,
    ];
    const text = (await stream.toArray()).join("");
    return { status: headers[":status"], text };
  }

  it("answers requests", async () => {
    const { status, text } = await post(
      "/rpc/API/GetPrice?x",
      '{"amount":"1","chainId":1}',
    );
    expect([status, JSON.parse(text)]).toMatchObject([200, { price: "10" }]);
  });

  it("rejects unknown paths and invalid bodies", async () => {
    expect(await post("/rpc/API/Pong", "{}")).toMatchObject({ status: 404 });
    expect(await post("/rpc/API/Echo", "[")).toMatchObject({ status: 400 });
  });

  it("rejects bodies that are too long", async () => {
    for (const length of [2_000, 2_000_000, 12_000_000]) {
      const { status, text } = await post("/rpc/API/Echo", "x".repeat(length));
      expect([status, text]).toEqual([
        413,
        expect.stringContaining("larger than"),
      ]);
    }
  });

  it("does not wait for a body whose client has disconnected", async () => {
    const { errors, leave, listener, outcomes } = createHangingServer();
    const session = await connect(listener);
    const stream = session.request({
      ":method": "POST",
      ":path": "/rpc/API/Echo",
      "content-type": "application/json",
    });
    stream.on("error", () => undefined);
    stream.end("{}");
    await leave(() => stream.close(8));
    await expect.poll(() => outcomes).toEqual(["WebrpcClientDisconnected"]);
    expect(errors).toEqual([]);
  });

  it("does not use a body that the client cancels", async () => {
    let hasStarted = false;
    const outcomes: (string | null)[] = [];
    const server = createSampleServer({
      observe: () => {
        hasStarted = true;
        return (outcome) => outcomes.push(outcome.error);
      },
    });
    const session = await connect(toNodeHandler(server));
    const stream = session.request({
      ":method": "POST",
      ":path": "/rpc/API/Echo",
      "content-type": "application/json",
    });
    stream.on("error", () => undefined);
    stream.write("{}");
    await until(() => hasStarted);
    // `close` would send the end of the body.
    stream.destroy();
    await expect.poll(() => outcomes).toEqual(["WebrpcClientDisconnected"]);
  });

  it("aborts the signal when the client cancels", async () => {
    const waiting = createWaiting();
    const session = await connect(toNodeHandler(waiting.server));
    const stream = session.request({
      ":method": "POST",
      ":path": "/rpc/API/Ping",
    });
    stream.on("error", () => undefined);
    stream.end();
    await waiting.hasStarted;
    stream.close(8);
    await waiting.hasFinished;
    expect(waiting.seen).toHaveLength(1);
  });
});
