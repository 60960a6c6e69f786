import { once } from "node:events";
import { connect, createServer } from "node:http2";
import { describe, expect, it, onTestFinished } from "vitest";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { serve } from "./listener-server.js";
import { until } from "./stream-server.js";

/** Returns the result of `look` for a request. */
async function seen(
  look: (request: Request) => unknown,
  init?: RequestInit,
  path = "/",
): Promise<unknown> {
  const { url } = await serve(async (request) =>
    Response.json((await look(request)) ?? null),
  );
  return (await fetch(url + path, init)).json();
}

const post = { method: "POST", body: '{"a":"grüße"}' };

describe("a request", () => {
  it("has a method, a URL, and the class Request", async () => {
    const look = (request: Request) => [
      request.method,
      new URL(request.url).pathname,
      new URL(request.url).search,
      request instanceof Request,
      Object.prototype.toString.call(request),
      request.redirect,
      request.cache,
    ];
    expect(await seen(look, { method: "PATCH" }, "/a/../b%20c?d=e")).toEqual([
      "PATCH",
      "/b%20c",
      "?d=e",
      true,
      "[object Request]",
      "follow",
      "default",
    ]);
  });

  it("is rejected if web requests do not allow its method", async () => {
    const errors: unknown[] = [];
    const { sendRaw } = await serve(
      (request) => Response.json(request.redirect),
      { onError: (error) => errors.push(error) },
    );
    const answer = await sendRaw(
      "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 405 /u);
    expect(answer).toContain("TRACE is not supported");
    expect(errors).toEqual([]);
  });

  it("has headers that can be read, listed, and changed", async () => {
    const look = ({ headers }: Request) => {
      const before = [
        headers.get("X-A"),
        headers.has("x-a"),
        headers.get("x-b"),
        headers.has("__proto__"),
        headers.get("constructor"),
        headers instanceof Headers,
      ];
      headers.append("x-a", "2");
      headers.delete("x-c");
      const listed = [...headers].filter(([name]) => name.startsWith("x-"));
      return [before, listed, headers.get("x-a"), headers.get("x-c")];
    };
    const headers = { "x-a": "1", "x-c": "3" };
    expect(await seen(look, { headers })).toEqual([
      ["1", true, null, false, null, true],
      [["x-a", "1, 2"]],
      "1, 2",
      null,
    ]);
  });

  it("has the same headers before and after it becomes a real request", async () => {
    const look = (request: Request) => {
      const { headers } = request;
      headers.set("x-a", "1");
      const copy = request.clone();
      headers.set("x-a", "2");
      return [copy.headers.get("x-a"), request.clone().headers.get("x-a")];
    };
    expect(await seen(look)).toEqual(["1", "2"]);
  });

  it.each<[string, (request: Request) => unknown, unknown]>([
    ["text", (request) => request.text(), '{"a":"grüße"}'],
    ["json", (request) => request.json(), { a: "grüße" }],
    ["arrayBuffer", async (r) => (await r.arrayBuffer()).byteLength, 15],
    ["blob", async (request) => (await request.blob()).size, 15],
    ["clone", (request) => request.clone().json(), { a: "grüße" }],
    ["body", (request) => new Response(request.body).text(), post.body],
    [
      "a Request created from it",
      (r) => new Request(r.url, r).json(),
      { a: "grüße" },
    ],
  ])("has a body: %s", async (_, look, wanted) => {
    expect(await seen(look, post)).toEqual(wanted);
  });

  it("has a form", async () => {
    const body = new FormData();
    body.set("file", new File(["é"], "name.txt", { type: "text/plain" }));
    const look = async (request: Request) => {
      const file = (await request.formData()).get("file");
      return file instanceof File ? [file.name, await file.text()] : null;
    };
    expect(await seen(look, { method: "POST", body })).toEqual([
      "name.txt",
      "é",
    ]);
  });

  it("has a body that can be read only once", async () => {
    const again = (reading: Promise<unknown>) =>
      reading.then(
        () => "read",
        (error: unknown) => (error as Error).name,
      );
    const look = async (request: Request) => {
      const before = request.bodyUsed;
      await request.text();
      return [
        before,
        request.bodyUsed,
        await again(request.text()),
        await again(request.json()),
        await again(request.arrayBuffer()),
        await again(Promise.resolve().then(() => request.clone().text())),
        request.bodyUsed,
      ];
    };
    const errors = ["TypeError", "TypeError", "TypeError", "TypeError"];
    expect(await seen(look, post)).toEqual([false, true, ...errors, true]);
  });

  it("has a body that two readers can use if one of them reads a clone", async () => {
    const look = async (request: Request) => {
      const copy = request.clone();
      return [await request.text(), await copy.text(), request.bodyUsed];
    };
    expect(await seen(look, post)).toEqual([post.body, post.body, true]);
  });

  it.each(["GET", "DELETE", "POST"])(
    "has no body if a %s request sends none",
    async (method) => {
      const look = async (request: Request) => [
        request.body,
        await request.text(),
        request.bodyUsed,
      ];
      const answer = await (
        await serve(async (request) => Response.json(await look(request)))
      ).sendRaw(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain('[null,"",false]');
    },
  );

  it("replaces invalid UTF-8 in its text", async () => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff]);
    const look = (request: Request) => request.text();
    expect(await seen(look, { method: "POST", body })).toBe("a\ufffd");
  });

  it("has a stream that requests no more data than its reader", async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(100_000));
        if (sent === 300) controller.close();
      },
    });
    let wait: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (wait = resolve));
    const look = async (request: Request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      await waiting;
      let length = 0;
      for (;;) {
        const piece = await reader?.read();
        if (piece?.value === undefined) return length;
        length += piece.value.byteLength;
      }
    };
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body,
      duplex: "half",
    };
    const answer = seen(look, init);
    let before = -1;
    await until(() => sent > 0);
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    expect(sent).toBeLessThan(300);
    wait();
    expect(await answer).toBeGreaterThan(29_000_000);
  });

  it("has a signal that is aborted when the client disconnects", async () => {
    const signals: AbortSignal[] = [];
    const { url } = await serve((request) => {
      signals.push(request.signal, request.signal);
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const asked = fetch(url, { signal: controller.signal }).catch(() => null);
    await until(() => signals.length === 2);
    expect(signals[0]).toBe(signals[1]);
    expect(signals[0]?.aborted).toBe(false);
    controller.abort();
    await asked;
    await until(() => signals[0]?.aborted === true);
  });

  it("takes its host from `:authority` over HTTP/2", async () => {
    const urls: string[] = [];
    const listener = toNodeListener(({ url }) => {
      urls.push(url);
      return new Response();
    });
    const { url } = await listenForTest(createServer(listener));
    const session = connect(url);
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ":path": "/a",
      ":authority": "real.example.com",
      host: "other.example.com",
    });
    await once(stream, "response");
    expect(urls).toEqual(["http://real.example.com/a"]);
  });
});

describe("an invalid request", () => {
  it.each([
    ["host with a path", "GET /x HTTP/1.1\r\nHost: a/b"],
    ["host with a user", "GET /x HTTP/1.1\r\nHost: u@a"],
    ["target of another kind", "GET ftp://a/ HTTP/1.1\r\nHost: a"],
  ])("is rejected because of a %s", async (_, head) => {
    const { sendRaw } = await serve(() => new Response("reached"));
    const answer = await sendRaw(`${head}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /u);
    expect(answer).toContain('"error":"WebrpcBadRequest"');
  });

  it.each<[string, (request: Request) => Promise<unknown>]>([
    ["text", (request) => request.text()],
    ["stream", (request) => new Response(request.body).text()],
  ])(
    "is rejected if its body is too long when it is read as %s",
    async (_, look) => {
      const handler = async (request: Request) =>
        Response.json(await look(request));
      const { url } = await serve(handler, { maxBodyBytes: 1000 });
      const send = (length: number) =>
        fetch(url, { method: "POST", body: "x".repeat(length) });
      expect((await send(1000)).status).toBe(200);
      const answer = await send(1001);
      expect([answer.status, await answer.json()]).toMatchObject([
        413,
        { error: "WebrpcBadRequest", cause: "body larger than 1000 bytes" },
      ]);
      expect((await send(1000)).status).toBe(200);
    },
  );
});
