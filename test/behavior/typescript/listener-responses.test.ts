import { once } from "node:events";
import {
  Agent,
  createServer as createHttpServer,
  type IncomingMessage,
  request as sendRequest,
} from "node:http";
import { connect, createServer, type IncomingHttpHeaders } from "node:http2";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { toFetch } from "../../../runtime/typescript/server/fetch.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  type FetchHandler,
  toNodeListener,
} from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { serve } from "./listener-server.js";
import { until } from "./stream-server.js";

const utf8 = new TextEncoder();

describe("a response", () => {
  it("arrives with its status, headers, and every cookie", async () => {
    const headers = new Headers({ "x-a": "1", "content-type": "text/x" });
    headers.append("x-a", "2");
    headers.append("set-cookie", "b=1");
    headers.append("set-cookie", "c=2");
    const { url } = await serve(
      () => new Response("grüße", { status: 418, headers }),
    );
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([418, "grüße"]);
    expect(answer.headers.get("x-a")).toBe("1, 2");
    expect(answer.headers.get("content-type")).toBe("text/x");
    expect(answer.headers.getSetCookie()).toEqual(["b=1", "c=2"]);
  });

  it.each([
    ["GET", 200, "content-length: 0"],
    ["GET", 204, null],
    ["GET", 304, null],
    ["HEAD", 200, null],
  ])("may have no body: %s %d", async (method, status, length) => {
    const { sendRaw } = await serve(() => new Response(null, { status }));
    const close = "Host: a\r\nConnection: close\r\n\r\n";
    const answer = await sendRaw(`${method} / HTTP/1.1\r\n${close}`);
    const [head = "", body] = answer.split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${String(status)} `);
    expect(/content-length: .*|transfer-.*/iu.exec(head)?.[0] ?? null).toBe(
      length,
    );
    expect(body).toBe("");
  });

  it("has no body for HEAD, and its stream is canceled", async () => {
    let isLeft = false;
    const body = () =>
      new ReadableStream({ cancel: () => void (isLeft = true) });
    const { sendRaw } = await serve(() => new Response(body()));
    const head = "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(await sendRaw(head)).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\n$/u);
    expect(isLeft).toBe(true);
  });

  it("starts before any data is available", async () => {
    let goOn = (): void => {};
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise<void>((resolve) => (goOn = resolve));
        controller.enqueue(utf8.encode("data: 1\n\n"));
        controller.close();
      },
    });
    const { url } = await serve(() => new Response(body));
    const answer = await fetch(url);
    goOn();
    expect(await answer.text()).toBe("data: 1\n\n");
  });

  it("is sent no faster than it is read, and canceled when the client disconnects", async () => {
    let count = 0;
    let isLeft = false;
    const signals: AbortSignal[] = [];
    const { url } = await serve(({ signal }) => {
      signals.push(signal);
      return new Response(
        new ReadableStream({
          pull(controller) {
            count += 1;
            controller.enqueue(new Uint8Array(100_000));
          },
          cancel: () => void (isLeft = true),
        }),
      );
    });
    const reader = (await fetch(url)).body?.getReader();
    await reader?.read();
    let before = -1;
    while (before !== count) {
      before = count;
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    expect(count).toBeLessThan(200);
    await reader?.cancel();
    await until(() => isLeft);
    expect(signals[0]?.aborted).toBe(true);
  });

  it("is cut off if its stream breaks", async () => {
    const { url } = await serve(() => {
      let isFirst = true;
      return new Response(
        new ReadableStream({
          async pull(controller) {
            if (!isFirst) {
              await new Promise((resolve) => setTimeout(resolve, 20));
              throw new Error("the source is gone");
            }
            isFirst = false;
            controller.enqueue(utf8.encode("first"));
          },
        }),
      );
    });
    const answer = await fetch(url);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("does not look complete over HTTP/2 if its stream breaks", async () => {
    let count = 0;
    const take = (): string => {
      count += 1;
      if (count > 2) throw new Error("the source is gone");
      return "piece";
    };
    const answer = { status: 200, headers: {}, body: "" };
    const handle = () =>
      Promise.resolve({ ...answer, stream: { take, cancel() {} } });
    const rpc = { fetch: toFetch(handle), handle, matches: () => true };
    for (const listener of [toNodeHandler(rpc), toNodeListener(rpc.fetch)]) {
      count = 0;
      const { url } = await listenForTest(createServer(listener));
      const session = connect(url);
      const stream = session.request({ ":path": "/" });
      await expect(stream.toArray()).rejects.toThrow("INTERNAL_ERROR");
      session.destroy();
    }
  });

  it("does not take pieces before the client has room, whatever wakes it", async () => {
    let wakeUp = (): void => {};
    let count = 0;
    const take = (wake: () => void): Uint8Array => {
      wakeUp = wake;
      count += 1;
      // More than any buffer between a server and its client.
      return new Uint8Array(2 ** 25);
    };
    const answer = { status: 200, headers: {}, body: "" };
    const handle = () =>
      Promise.resolve({ ...answer, stream: { take, cancel() {} } });
    const rpc = { fetch: toFetch(handle), handle, matches: () => true };
    const { url } = await listenForTest(createHttpServer(toNodeHandler(rpc)));
    const asked = sendRequest(url).end();
    await once(asked, "response");
    wakeUp();
    expect(count).toBe(1);
    asked.destroy();
  });

  it("keeps the connection open, whether or not the request's body was read", async () => {
    const { url } = await serve(async (request) => {
      if (request.headers.has("x-read")) await request.body?.getReader().read();
      return new Response("done");
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (const headers of [{}, { "x-read": "1" }, {}, { "x-read": "1" }]) {
      const asked = sendRequest(url, { method: "POST", agent, headers });
      asked.on("socket", (socket) => sockets.add(socket));
      asked.end("x".repeat(300_000));
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      expect((await answer.toArray()).join("")).toBe("done");
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
  });

  it("arrives over HTTP/2", async () => {
    const http2 = createServer(
      toNodeListener(async (request) =>
        Response.json([
          request.url,
          request.headers.get("x-a"),
          await request.text(),
        ]),
      ),
    );
    const { url } = await listenForTest(http2);
    const session = connect(url);
    const stream = session.request({
      ":method": "POST",
      ":path": "/b",
      "x-a": "1",
    });
    stream.end("text");
    const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
    const text = (await stream.toArray()).join("");
    expect([headers[":status"], JSON.parse(text)]).toEqual([
      200,
      [`${url}/b`, "1", "text"],
    ]);
    session.destroy();
  });
});

describe("a handler that fails", () => {
  const secret = new Error("postgres://user:password@db");

  it.each<[string, FetchHandler]>([
    [
      "throws",
      () => {
        throw secret;
      },
    ],
    ["rejects", () => Promise.reject(secret)],
    ["returns nothing", () => undefined as unknown as Response],
    ["returns an error", () => Response.error()],
  ])("causes a 500 if it %s", async (_, handler) => {
    const errors: unknown[] = [];
    const { url } = await serve(handler, {
      onError: (error, request) => {
        errors.push(error, request.method);
        throw new Error("the log is full");
      },
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        error: "WebrpcInternalError",
        code: -7,
        msg: expect.any(String),
        status: 500,
      },
    ]);
    expect(errors).toEqual([expect.any(Error), "GET"]);
  });

  it("is printed to the console if there is no `onError`", async () => {
    const print = vi.spyOn(console, "error").mockReturnValue(undefined);
    onTestFinished(() => print.mockRestore());
    const { url } = await serve(() => Promise.reject(secret));
    expect((await fetch(url)).status).toBe(500);
    expect(print.mock.calls).toEqual([[`GET ${url}/ failed:`, secret]]);
  });

  it("may throw an error that a contract declares", async () => {
    const errors: unknown[] = [];
    const definition = { name: "Gone", code: 7, message: "gone", status: 410 };
    const { url } = await serve(
      () => Promise.reject(new RpcError(definition)),
      { onError: (error) => void errors.push(error) },
    );
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([
      410,
      { error: "Gone", code: 7, msg: "gone", status: 410 },
    ]);
    expect(errors).toEqual([]);
  });
});
