import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { inProcess } from "@ridlkit/runtime/in-process";
import { openStream } from "@ridlkit/runtime/stream";
import {
  createPricesClient,
  pricesWatch,
  type PricesClient,
} from "../../golden/fixtures/event-streams/expected/client.js";
import { TickerBusyError } from "../../golden/fixtures/event-streams/expected/errors.js";
import {
  createPricesServer,
  type PricesServerOptions,
} from "../../golden/fixtures/event-streams/expected/server.js";
import type { Price } from "../../golden/fixtures/event-streams/expected/types.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { lambdaHosts, lambdaStreamHost } from "./lambda-hosts.js";
import { sleep, until } from "./stream-server.js";

type Handlers = PricesServerOptions["handlers"]["prices"];

const priceOf = (id: number): Price => ({
  id,
  ticker: "é\u2028",
  amount: 2n ** 70n,
});

const handlers: Handlers = {
  async *watch({ after = 0, ticker }) {
    await sleep(0);
    if (ticker === "none") throw new TickerBusyError({ data: { waitMs: 5 } });
    yield priceOf(after + 1);
    yield priceOf(after + 2);
    if (ticker === "busy") throw new TickerBusyError({ data: { waitMs: 7 } });
  },
  async *ask({ question, words = 3 }) {
    await sleep(0);
    for (let n = 0; n < words; n += 1) yield { word: `${question}\n${n}` };
  },
  async *beat() {
    await sleep(0);
    yield {};
  },
  async *follow({ ticker }) {
    await sleep(0);
    yield { price: { ...priceOf(1), ticker } };
  },
};

function createServer(
  changed: Partial<Handlers> = {},
  options: Partial<PricesServerOptions> = {},
): ReturnType<typeof createPricesServer> {
  return createPricesServer({
    handlers: { prices: { ...handlers, ...changed } },
    verifyKey: (key) => key === "k",
    ...options,
  });
}

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const amount = String(2n ** 70n);
const eventOf = (id: number): string =>
  `data: {"id":${id},"ticker":"é\u2028","amount":"${amount}"}\n\n`;

describe.each([...hosts, listenerHost, ...lambdaHosts])(
  "a stream at an address on $name",
  (host) => {
    const open = async (
      path: string,
      init: RequestInit = {},
      changed: Partial<Handlers> = {},
      options: Partial<PricesServerOptions> = {},
    ): Promise<Response> => {
      const started = await host.start(createServer(changed, options));
      running.push(started);
      return started.fetch(`http://host${path}`, init);
    };

    it("requires credentials before it starts", async () => {
      const answer = await open("/beats");
      expect(answer.status).toBe(401);
    });

    it("is an ordinary response if it fails before its first item", async () => {
      const answer = await open("/prices/none");
      expect(answer.status).toBe(429);
      expect(await answer.json()).toMatchObject({ data: { waitMs: 5 } });
    });

    it("ends with an event if it fails later", async () => {
      const answer = await open("/prices/busy");
      expect(await answer.text()).toBe(
        `:\n\n${eventOf(1)}${eventOf(2)}event: error\nstatus: 429\ndata: {"error":"TickerBusy","code":1429,"msg":"busy","status":429,"data":{"waitMs":7}}\n\n`,
      );
    });

    it("does not start for HEAD", async () => {
      let isStarted = false;
      const answer = await open(
        "/prices/a",
        { method: "HEAD" },
        {
          async *watch() {
            isStarted = true;
            await sleep(0);
            yield priceOf(1);
          },
        },
      );
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
      expect(isStarted).toBe(false);
    });

    it("rejects an invalid item", async () => {
      const answer = await open(
        "/prices/a",
        {},
        {
          async *watch() {
            yield priceOf(1);
            await sleep(0);
            yield { ...priceOf(2), ticker: "" };
          },
        },
        { onError: () => {} },
      );
      const text = await answer.text();
      expect(text).toContain("WebrpcBadResponse");
      expect(text).toContain("event: error\nstatus: 500\n");
    });
  },
);

describe.each([...hosts, listenerHost, lambdaStreamHost])(
  "an open stream at an address on $name",
  (host) => {
    it("has comments while there are no items, and ends with its client", async () => {
      let isLeft = false;
      const server = createServer(
        {
          async *watch(_request, { signal }) {
            try {
              yield priceOf(1);
              await new Promise<void>((resolve) =>
                signal.addEventListener("abort", () => resolve()),
              );
            } finally {
              isLeft = true;
            }
          },
        },
        { keepAliveMs: 10 },
      );
      const started = await host.start(server);
      running.push(started);
      const answer = await started.fetch("http://host/prices/a", {});
      const reader = answer.body?.getReader();
      const decoder = new TextDecoder();
      let text = "";
      while (!text.endsWith("\n\n:\n\n:\n\n")) {
        const { value } = (await reader?.read()) ?? {};
        text += decoder.decode(value, { stream: true });
      }
      expect(text).toBe(`:\n\n${eventOf(1)}:\n\n:\n\n`);
      await reader?.cancel();
      await until(() => isLeft);
    });
  },
);

/** A client whose server sends these bytes. */
function clientOf(
  body: BodyInit | null,
  init: ResponseInit = {},
  seen: Headers[] = [],
): PricesClient {
  const headers = { "content-type": "Text/Event-Stream; charset=utf-8" };
  return createPricesClient({
    baseUrl: "http://host",
    fetch: (_url, { headers: sent }) => {
      seen.push(new Headers(sent));
      return Promise.resolve(new Response(body, { headers, ...init }));
    },
  });
}

/** Returns what a loop gets: items, and the error that ends it. */
async function outcomesOf(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const item of items) seen.push(item);
  } catch (error) {
    const { cause, msg, name, reason, status, data } = Object(error);
    seen.push({ cause: String(cause), msg, name, reason, status, data });
  }
  return seen;
}

function bodyOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const all = (async function* () {
    yield* pieces;
  })();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await all.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const wordsOf = async (
  body: BodyInit | null,
  init?: ResponseInit,
): Promise<unknown[]> =>
  outcomesOf(clientOf(body, init).ask({ question: "q" }));

describe("a client of a stream at an address", () => {
  const client = createPricesClient({
    baseUrl: "http://host",
    credentials: { key: "k" },
    fetch: inProcess(createServer()),
  });

  it("yields the items of its server", async () => {
    expect(await outcomesOf(client.watch({ ticker: "a" }))).toEqual([
      priceOf(1),
      priceOf(2),
    ]);
    expect(await outcomesOf(client.ask({ question: "q", words: 2 }))).toEqual([
      { word: "q\n0" },
      { word: "q\n1" },
    ]);
    expect(await outcomesOf(client.beat())).toEqual([{}]);
    expect(await outcomesOf(client.follow({ ticker: "b" }))).toEqual([
      { price: { ...priceOf(1), ticker: "b" } },
    ]);
  });

  it("throws the same error before and after the first item", async () => {
    const errorOf = (waitMs: number): unknown =>
      expect.objectContaining({
        name: "TickerBusy",
        status: 429,
        msg: "busy",
        data: { waitMs },
      });
    expect(await outcomesOf(client.watch({ ticker: "none" }))).toEqual([
      errorOf(5),
    ]);
    expect(await outcomesOf(client.watch({ ticker: "busy" }))).toEqual([
      priceOf(1),
      priceOf(2),
      errorOf(7),
    ]);
    const results = client.watch.result({ ticker: "busy" });
    expect((await outcomesOf(results)).at(-1)).toMatchObject({
      ok: false,
      error: { name: "TickerBusy" },
    });
  });

  it("asks for events", async () => {
    const seen: Headers[] = [];
    await outcomesOf(clientOf("", {}, seen).watch({ ticker: "a" }));
    expect(seen[0]?.get("accept")).toBe(
      "text/event-stream, text/event-stream;end=1",
    );
  });

  it("resumes after the last item", async () => {
    const asked: string[] = [];
    const fetch = inProcess(createServer());
    const cut = createPricesClient({
      baseUrl: "http://host",
      fetch: async (url, init) => {
        asked.push(String(url));
        const response = await fetch(url, init);
        if (asked.length > 2) return response;
        const text = await response.text();
        const { headers } = response;
        return new Response(text.slice(0, -22), { headers });
      },
    });
    const items = cut.watch({ ticker: "a" }, { reconnect: { minDelayMs: 1 } });
    expect(await outcomesOf(items)).toEqual([1, 2, 3, 4].map(priceOf));
    expect(asked.map((url) => new URL(url).search)).toEqual([
      "",
      "?after=1",
      "?after=2",
    ]);
  });

  it("is opened without a client object", async () => {
    const options = {
      baseUrl: "http://host",
      fetch: inProcess(createServer()),
    };
    const items = openStream(options, pricesWatch, { ticker: "a" });
    expect(await outcomesOf(items)).toHaveLength(2);
  });
});

interface EventCase {
  readonly name: string;
  /** Whether the response announces an end. */
  readonly isEnded?: boolean;
  /** Whether each character of the body is a byte. Default: the body is UTF-8. */
  readonly isBytes?: boolean;
  readonly body: string;
  readonly items: readonly unknown[];
  /** The reason or the error that ends the loop, or null. */
  readonly end: string | object | null;
}

const eventCases = readFileSync(
  new URL("../../../runtime/cases/event-cases.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line): EventCase => JSON.parse(line));

const bytesOf = ({ body, isBytes }: EventCase): Buffer<ArrayBuffer> =>
  Buffer.from(body, isBytes ? "latin1" : "utf8");

const initOf = ({ isEnded = false }: EventCase): ResponseInit => ({
  headers: { "content-type": `text/event-stream${isEnded ? ";end=1" : ""}` },
});

const endOf = (end: string | object): object =>
  typeof end === "string" ? { reason: end } : end;

const a = { word: "a" };
const b = { word: "b" };
const lost = expect.objectContaining({ reason: "stream-lost" });
const bad = expect.objectContaining({ reason: "bad-response" });

describe("server-sent events", () => {
  it.each(eventCases)("are read: $name", async (each) => {
    const { end, items } = each;
    expect(await wordsOf(bytesOf(each), initOf(each))).toEqual([
      ...items.map((word) => ({ word })),
      ...(end === null ? [] : [expect.objectContaining(endOf(end))]),
    ]);
  });

  it.each(eventCases)("are the same byte by byte: $name", async (each) => {
    const bytes = bytesOf(each);
    const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]));
    const whole = await wordsOf(bytes, initOf(each));
    expect(await wordsOf(bodyOf(pieces), initOf(each))).toEqual(whole);
  });

  it("is the same however the body is split", async () => {
    const text =
      '\ufeffdata: "é\u{1f600}"\r\n\r\n: c\r\rdata:\r\ndata: "b"\n\r\n';
    const bytes = new TextEncoder().encode(text);
    const expected = [{ word: "é\u{1f600}" }, b];
    for (let size = 1; size <= bytes.length; size += 1) {
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / size) },
        (_, index) => bytes.slice(index * size, (index + 1) * size),
      );
      const body = bodyOf(pieces);
      expect([size, await wordsOf(body)]).toEqual([size, expected]);
    }
  });

  it("limits the size of an item", async () => {
    const options = { maxLineLength: 100 };
    const parts = ['data: "', ...Array<string>(50).fill("aaaa\ndata:")];
    const encoder = new TextEncoder();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(encoder.encode(parts[pulled % 50]));
      },
    });
    const items = clientOf(body).ask({ question: "q" }, options);
    expect(await outcomesOf(items)).toEqual([bad]);
    expect(pulled).toBeLessThan(60);
  });

  it("keeps nothing of an endless comment", async () => {
    const piece = new TextEncoder().encode(`${":".repeat(1000)}`);
    const body = bodyOf(
      (function* () {
        for (let n = 0; n < 1000; n += 1) yield piece;
        yield new TextEncoder().encode('\n\ndata: "a"\n\n');
      })(),
    );
    const options = { maxLineLength: 100 };
    const items = clientOf(body).ask({ question: "q" }, options);
    expect(await outcomesOf(items)).toEqual([a]);
  });

  it.each(["application/json", "application/x-ndjson", "text/html"])(
    "are not %s",
    async (type) => {
      const headers = { "content-type": type };
      const [first] = await wordsOf('"a"', { headers });
      expect(first).toMatchObject({ reason: "bad-response", status: 200 });
      expect(Object(first).cause).toMatch(/^not a stream: /u);
    },
  );

  it("cancel the body when the loop ends", async () => {
    let isCanceled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('data: "a"\n\n'));
      },
      cancel() {
        isCanceled = true;
      },
    });
    for await (const item of clientOf(body).ask({ question: "q" })) {
      expect(item).toEqual(a);
      break;
    }
    await until(() => isCanceled);
  });

  it("are lost if the connection breaks", async () => {
    let isFirst = true;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (!isFirst) return controller.error(new Error("reset"));
        isFirst = false;
        controller.enqueue(new TextEncoder().encode('data: "a"\n\n'));
      },
    });
    expect(await wordsOf(body)).toEqual([a, lost]);
  });

  it("are lost if the server is silent", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('data: "a"\n\n'));
      },
    });
    const items = clientOf(body).ask({ question: "q" }, { silenceMs: 20 });
    expect(await outcomesOf(items)).toEqual([a, lost]);
  });

  it("are alive while there are comments", async () => {
    const body = bodyOf(
      (async function* () {
        for (let n = 0; n < 10; n += 1) {
          await sleep(20);
          yield new TextEncoder().encode(":\n\n");
        }
        yield new TextEncoder().encode('data: "a"\n\n');
      })(),
    );
    const items = clientOf(body).ask({ question: "q" }, { silenceMs: 150 });
    expect(await outcomesOf(items)).toEqual([a]);
  });
});
