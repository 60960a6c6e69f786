import fc from "fast-check";
import {
  afterEach,
  beforeEach,
  describe,
  expect,
  expectTypeOf,
  it,
  vi,
} from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";
import {
  RpcError,
  WebrpcStreamLostError,
} from "../../../runtime/typescript/wire/errors.js";
import { parseJsonObject } from "../../../runtime/typescript/codegen/message-json.js";
import {
  announceTimeout,
  checkResponses,
  observe,
  refreshCredentials,
  retry,
  type ClientInterceptor,
} from "../../../runtime/typescript/client/interceptors.js";
import {
  createStreams,
  stream,
} from "../../../runtime/typescript/codegen/create-streams.js";
import {
  openStream,
  type StreamMethod,
} from "../../../runtime/typescript/client/stream.js";
import {
  type CallError,
  TransportError,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";
import { reply, startServer, type LocalServer } from "./local-server.js";
import { sampleErrors } from "./sample-server.js";
import { sleep, until } from "./stream-server.js";

interface Tick {
  readonly n: number;
}
type Geoblocked = RpcError<"Geoblocked">;

class GeoblockedError extends RpcError<"Geoblocked"> {
  static override readonly errorName = "Geoblocked";
}

const watch: StreamMethod<{ room?: string }, Tick, Geoblocked> =
  stream("/rpc/Clock/Watch");

const servers: LocalServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(
  ...args: Parameters<typeof startServer>
): Promise<LocalServer> {
  const server = await startServer(...args);
  servers.push(server);
  return server;
}

/**
 * Creates client options for a server that sends these chunks and then ends the
 * response.
 */
function answering(...chunks: (string | Uint8Array)[]): ClientOptions {
  const utf8 = new TextEncoder();
  const fetch = async (): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) {
          controller.enqueue(
            typeof chunk === "string" ? utf8.encode(chunk) : chunk,
          );
        }
        controller.close();
      },
    });
    return new Response(body);
  };
  return { baseUrl: "http://host", fetch };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the items before a failure, and the failure. */
async function collectUntilFailure<Item>(
  items: AsyncIterable<Item>,
): Promise<{ given: Item[]; error: unknown }> {
  const given: Item[] = [];
  try {
    for await (const item of items) given.push(item);
  } catch (error) {
    return { given, error };
  }
  return expect.unreachable("the stream ended without a failure");
}

describe("a request for a stream", () => {
  it("is the same as for any other method", async () => {
    const server = await serve((response) => response.end('\n{"n":1}\n'));
    const options = {
      baseUrl: server.url,
      credentials: { accessKey: async () => "key" },
      headers: { "x-client": "test" },
    };
    const method = stream<{ room: string }, Tick, never>("/rpc/Chat/Watch", {
      credentials: [["accessKey", "x-access-key"]],
    });
    const call = { headers: { "x-call": "1" } };
    const items = openStream(options, method, { room: "a" }, call);
    expect(await collect(items)).toEqual([{ n: 1 }]);
    expect(server.seen).toMatchObject([
      {
        method: "POST",
        url: "/rpc/Chat/Watch",
        body: '{"room":"a"}',
        headers: {
          "content-type": "application/json",
          "x-access-key": "key",
          "x-client": "test",
          "x-call": "1",
        },
      },
    ]);
  });

  it("is sent when the first item is requested, and again for every iteration", async () => {
    const server = await serve((response) => response.end('\n{"n":1}\n'));
    const { watch: call } = createStreams({ baseUrl: server.url }, { watch });
    const items = call();
    await sleep(10);
    expect(server.seen).toEqual([]);
    await collect(items);
    expect(server.seen.map(({ body }) => body)).toEqual(["{}"]);
    await collect(items);
    expect(server.seen).toHaveLength(2);
  });
});

describe("interceptors", () => {
  it("do not open a stream again because of `retry`", async () => {
    const server = await serve((response) => reply(response, 503, ""));
    const method = stream<{}, Tick, never>("/a", { safety: "readonly" });
    const options = { baseUrl: server.url, use: [retry()] };
    await expect(collect(openStream(options, method))).rejects.toThrow();
    expect(server.seen).toHaveLength(1);
  });

  it("wrap the opening of a stream, and can open it again", async () => {
    const server = await serve((response, { headers }) => {
      const isFresh = headers["x-access-key"] === "fresh";
      if (isFresh) response.end('\n{"n":1}\n');
      else reply(response, 401, '{"error":"Unauthorized","code":1000}');
    });
    let key = "stale";
    const seen: unknown[] = [];
    const method = stream<{}, Tick, never>("/rpc/Clock/Watch", {
      credentials: [["accessKey", "x-access-key"]],
      safety: "readonly",
    });
    const options = {
      baseUrl: server.url,
      credentials: { accessKey: () => key },
      timeoutMs: 5000,
      use: [
        announceTimeout(),
        refreshCredentials(() => void (key = "fresh")),
        checkResponses({ "/rpc/Clock/Watch": refuse }, "throw"),
        observe({
          onEnd: ({ isStream, method: { path } }, { status }) =>
            seen.push([path, isStream, status]),
        }),
      ],
    };
    expect(await collect(openStream(options, method))).toEqual([{ n: 1 }]);
    expect(seen).toEqual([
      ["/rpc/Clock/Watch", true, 401],
      ["/rpc/Clock/Watch", true, 200],
    ]);
    // A server would end the stream after an announced timeout.
    const announced = server.seen.map(
      ({ headers }) => headers["request-timeout-ms"],
    );
    expect(announced).toEqual([undefined, undefined]);
  });

  it("leave nothing to read if they respond themselves", async () => {
    const silent: ClientInterceptor = () => async () => null;
    const items = openStream({ ...answering("{}\n"), use: [silent] }, watch);
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "bad-response",
    });
  });
});

describe("the body of a response", () => {
  function endless(onCancel: () => void): ReadableStream<Uint8Array> {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new TextEncoder().encode("<html>\n"));
    return new ReadableStream({ start, cancel: onCancel });
  }

  it("is closed if an interceptor throws after it has begun", async () => {
    const cancel = vi.fn();
    const refusing: ClientInterceptor = (next) => async (call) => {
      await next(call);
      throw new Error("refused");
    };
    const fetch = async () => new Response(endless(cancel));
    const options = { baseUrl: "http://host", fetch, use: [refusing] };
    const items = openStream(options, watch);
    await expect(collect(items)).rejects.toThrow("refused");
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("is not read, and not requested again, if it is not a stream", async () => {
    const cancel = vi.fn();
    const headers = { "content-type": "text/html" };
    const fetch = vi.fn(async () => new Response(endless(cancel), { headers }));
    const options = { baseUrl: "http://host", fetch };
    const items = openStream(options, watch, {}, { reconnect: {} });
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "bad-response",
      status: 200,
      cause: "not a stream: text/html",
    });
    expect(fetch).toHaveBeenCalledOnce();
    expect(cancel).toHaveBeenCalledOnce();
  });
});

/** Rejects every value. */
function refuse(value: unknown, report: Report): void {
  report.fail("nothing", value);
}

describe("the response", () => {
  it("contains one item per line, in chunks of any size", async () => {
    const value = fc.oneof(fc.integer(), fc.string({ unit: codePoint }));
    const blanks = fc.constantFrom("\n", "\n\n", "\r\n", "\n \t\r\n", "\n\n\n");
    const lines = fc.array(fc.tuple(fc.record({ value }), blanks));
    const cuts = fc.array(fc.nat(200), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, cuts, async (given, sizes) => {
        const text = given
          .map(([item, end]) => JSON.stringify(item) + end)
          .join("");
        let rest = new TextEncoder().encode(`\n${text}`);
        const chunks = sizes.map((size) => {
          const chunk = rest.slice(0, size);
          rest = rest.slice(size);
          return chunk;
        });
        const method = stream<{}, object, never>("/");
        const items = openStream(answering(...chunks, rest), method);
        expect(await collect(items)).toEqual(given.map(([item]) => item));
      }),
      { numRuns: 200 },
    );
  });

  it("may contain a line of 2 MB in chunks of 100 bytes", async () => {
    const text = "x".repeat(2_000_000);
    const chunks = [`\n{"n":"`, ...(text.match(/.{100}/gu) ?? []), `"}\n`];
    const items = await collect(openStream(answering(...chunks), watch));
    expect(items).toEqual([{ n: text }]);
  });

  it("is decoded item by item", async () => {
    const method = stream<{}, { id: bigint }, never>("/", {
      parse: parseJsonObject,
      decode: (value) => ({ id: (value as { id: bigint }).id + 1n }),
    });
    const items = openStream(answering('{"id":12345678901234567890}'), method);
    expect(await collect(items)).toEqual([{ id: 12345678901234567891n }]);
  });

  it("includes only the beginning of a long line in its error", async () => {
    const items = openStream(answering("x".repeat(1000), "\n"), watch);
    expect((await collectUntilFailure(items)).error).toMatchObject({
      cause: "x".repeat(500),
    });
  });
});

describe("a failure", () => {
  const envelope = {
    error: "Geoblocked",
    code: 1006,
    msg: "not here",
    cause: "not in Atlantis",
    status: 451,
  };

  it("is the same as for any call if it occurs before the stream", async () => {
    const server = await serve((response) => {
      reply(response, 451, JSON.stringify(envelope));
    });
    const refused = openStream({ baseUrl: server.url }, watch);
    expect((await collectUntilFailure(refused)).error).toBeInstanceOf(
      GeoblockedError,
    );
    const proxy = await serve((response) => {
      reply(response, 502, "<html>", "text/html");
    });
    const broken = openStream({ baseUrl: proxy.url }, watch);
    expect((await collectUntilFailure(broken)).error).toMatchObject({
      reason: "bad-response",
      status: 502,
      cause: "<html>",
    });
  });

  it("is reported as a network failure if it prevents the connection", async () => {
    const server = await serve(() => {});
    await server.close();
    const items = openStream({ baseUrl: server.url }, watch);
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "network",
    });
  });

  it("is the last value in the non-throwing form", async () => {
    const line = JSON.stringify({ webrpcError: envelope });
    const options = answering(`\n{"n":1}\n${line}\n`);
    const results = createStreams(options, { watch }).watch.result();
    const all = await collect(results);
    expect(all).toMatchObject([
      { ok: true, value: { n: 1 } },
      { ok: false, error: { name: "Geoblocked" } },
    ]);
    const [, last] = all;
    if (last?.ok !== false) throw new Error("the last one has failed");
    expectTypeOf(last.error).toEqualTypeOf<CallError<Geoblocked>>();
    const broken = () => {
      throw new TypeError("no credential");
    };
    const own = createStreams({ ...options, headers: broken }, { watch });
    expect(
      (await collectUntilFailure(own.watch.result())).error,
    ).toBeInstanceOf(TypeError);
  });
});

describe("silence", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /**
   * Creates client options for a server that sends an item, an empty line
   * `pings` times, and another item, each after `ms` milliseconds of silence.
   */
  function silentFor(ms: number, pings: number): ClientOptions {
    const utf8 = new TextEncoder();
    const fetch = async (): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(utf8.encode('\n{"n":1}\n'));
          for (let left = pings; left > 0; left -= 1) {
            await sleep(ms);
            controller.enqueue(utf8.encode("\n"));
          }
          await sleep(ms);
          controller.enqueue(utf8.encode('{"n":2}\n'));
          controller.close();
        },
      });
      return new Response(body);
    };
    return { baseUrl: "http://host", fetch };
  }

  async function afterAllTimers<Value>(result: Promise<Value>): Promise<Value> {
    await vi.runAllTimersAsync();
    return result;
  }

  it("is reported as a lost stream if it comes from the server", async () => {
    const options = { silenceMs: 30, timeoutMs: 10_000 };
    const items = openStream(silentFor(10_000, 0), watch, {}, options);
    expect(await afterAllTimers(collectUntilFailure(items))).toMatchObject({
      given: [{ n: 1 }],
      error: { reason: "stream-lost", cause: "it is silent" },
    });
  });

  it("is interrupted by empty lines", async () => {
    const options = { silenceMs: 100 };
    const items = openStream(silentFor(80, 4), watch, {}, options);
    expect(await afterAllTimers(collect(items))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("does not count if it comes from the reader", async () => {
    const items = openStream(silentFor(5, 0), watch, {}, { silenceMs: 60 });
    const readSlowly = async (): Promise<readonly Tick[]> => {
      const seen: Tick[] = [];
      for await (const item of items) {
        await sleep(70);
        seen.push(item);
      }
      return seen;
    };
    expect(await afterAllTimers(readSlowly())).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("is a timeout if it precedes the response", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const soon = { timeoutMs: 20 };
    for (const [client, options] of [
      [{}, { silenceMs: 20 }],
      [{}, soon],
      [soon, { silenceMs: Infinity }],
    ]) {
      const all = { baseUrl: "http://host", fetch, ...client };
      const items = openStream(all, watch, {}, options);
      const { error } = await afterAllTimers(collectUntilFailure(items));
      expect(error).toMatchObject({ reason: "timeout" });
    }
  });

  it("does not count toward the timeout once the stream has started", async () => {
    const options = { timeoutMs: 200 };
    const server = { ...silentFor(80, 4), ...options };
    const items = openStream(server, watch, {}, options);
    expect(await afterAllTimers(collect(items))).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("leaving a stream", () => {
  /**
   * Starts a server with an endless stream, and counts its open connections.
   */
  async function endless() {
    const state = { open: 0 };
    const { url } = await serve((response) => {
      state.open += 1;
      response.on("close", () => (state.open -= 1));
      response.write('\n{"n":1}\n{"n":2}\n');
    });
    return { state, baseUrl: url };
  }

  it("closes the connection", async () => {
    const { state, baseUrl } = await endless();
    for await (const item of openStream({ baseUrl }, watch)) {
      expect([item, state.open]).toEqual([{ n: 1 }, 1]);
      break;
    }
    await until(() => state.open === 0);
    expect(state.open).toBe(0);
  });

  it.each(["client", "call"] as const)(
    "happens when a signal of the %s is aborted, with that signal's reason",
    async (whose) => {
      const { state, baseUrl } = await endless();
      const controller = new AbortController();
      const { signal } = controller;
      const options = { baseUrl, ...(whose === "client" && { signal }) };
      const call = { ...(whose === "call" && { signal }) };
      const given: Tick[] = [];
      const items = openStream(options, watch, {}, call);
      const run = async (): Promise<void> => {
        for await (const item of items) {
          given.push(item);
          if (given.length === 2) {
            setTimeout(() => controller.abort("enough"), 10);
          }
        }
      };
      await expect(run()).rejects.toMatchObject({
        reason: "aborted",
        name: "WebrpcClientDisconnected",
        cause: "enough",
      });
      expect(given).toEqual([{ n: 1 }, { n: 2 }]);
      await until(() => state.open === 0);
      const again = await collectUntilFailure(items);
      expect(again).toMatchObject({ given: [], error: { reason: "aborted" } });
    },
  );

  it("returns no more items, not even those already received", async () => {
    const { baseUrl } = await endless();
    const controller = new AbortController();
    const { signal } = controller;
    const given: Tick[] = [];
    const run = async (): Promise<void> => {
      for await (const item of openStream({ baseUrl }, watch, {}, { signal })) {
        given.push(item);
        controller.abort();
      }
    };
    await expect(run()).rejects.toMatchObject({ reason: "aborted" });
    expect(given).toEqual([{ n: 1 }]);
  });

  it("does not wait for a fetch that ignores signals", async () => {
    const cancelled: unknown[] = [];
    const never = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("\n")),
      cancel: (reason) => void cancelled.push(reason),
    });
    const fetch = async (): Promise<Response> => new Response(never);
    const signal = AbortSignal.timeout(20);
    const items = openStream({ baseUrl: "", fetch }, watch, {}, { signal });
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "aborted",
    });
    expect(cancelled).toHaveLength(1);
  });

  it("happens if a line never ends", async () => {
    let isCancelled = false;
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
      cancel: () => void (isCancelled = true),
    });
    const fetch = async (): Promise<Response> => new Response(body);
    const call = { maxLineLength: 10_000 };
    const items = openStream({ baseUrl: "", fetch }, watch, {}, call);
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "bad-response",
    });
    await until(() => isCancelled);
    expect(pulled).toBeLessThan(20);
  });

  it("happens if a line is too long, even if one chunk contains the whole line", async () => {
    const chunk = `{"n":1}\n{"n":${"2".repeat(20)}}\n{"n":3}\n`;
    const items = openStream(answering(chunk), watch, {}, { maxLineLength: 9 });
    const { given, error } = await collectUntilFailure(items);
    expect(given).toEqual([{ n: 1 }]);
    expect(error).toMatchObject({ reason: "bad-response" });
  });

  it("does not happen for any number of short lines, in chunks of any size", async () => {
    const lines = '{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n';
    for (const chunks of [[lines], [...lines]]) {
      const call = { maxLineLength: 9 };
      const items = openStream(answering(...chunks), watch, {}, call);
      expect(await collect(items)).toHaveLength(4);
    }
  });

  it("cancels the late response of a fetch that ignores signals", async () => {
    let answer: (response: Response) => void = () => {};
    const fetch = (): Promise<Response> =>
      new Promise((resolve) => (answer = resolve));
    const items = openStream(
      { baseUrl: "", fetch },
      watch,
      {},
      { timeoutMs: 5 },
    );
    expect((await collectUntilFailure(items)).error).toMatchObject({
      reason: "timeout",
    });
    let isCancelled = false;
    const cancel = (): void => void (isCancelled = true);
    answer(new Response(new ReadableStream({ cancel })));
    await until(() => isCancelled);
  });

  it("leaves no timer or listener behind, however it happens", async () => {
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (
      kind: string,
      listener: EventListener,
      options?: AddEventListenerOptions,
    ) => {
      const forget = (): boolean => listeners.delete(listener);
      listeners.add(listener);
      options?.signal?.addEventListener("abort", forget);
      addEventListener.call(signal, kind, listener, options);
    };
    signal.removeEventListener = (kind: string, listener: EventListener) => {
      listeners.delete(listener);
      removeEventListener.call(signal, kind, listener);
    };
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout")
        .length;
    const { baseUrl } = await endless();
    const before = timers();
    const whole = answering('\n{"n":1}\n');
    await collect(openStream({ ...whole, signal }, watch, {}, { signal }));
    for await (const _ of openStream({ ...whole, signal }, watch)) break;
    await collectUntilFailure(
      openStream({ ...answering("x\n"), signal }, watch),
    );
    const options = { silenceMs: 10 };
    await collectUntilFailure(
      openStream({ baseUrl, signal }, watch, {}, options),
    );
    const reconnect = { attempts: 0 };
    await collectUntilFailure(
      openStream({ baseUrl, signal }, watch, {}, { ...options, reconnect }),
    );
    expect(listeners.size).toBe(0);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("`return` while `next` waits", () => {
  const never = (): Promise<never> => new Promise(() => {});
  const silent = (cancel: () => void): ClientOptions => ({
    baseUrl: "http://host",
    fetch: async () => new Response(new ReadableStream({ cancel })),
  });
  const waitForever: ClientOptions = { baseUrl: "http://host", fetch: never };
  const forever = { silenceMs: Infinity };

  it.each([
    ["a stream", forever],
    ["a stream that reconnects", { ...forever, reconnect: {} }],
  ])("ends %s, and frees its connection", async (_, options) => {
    for (const kind of ["watch", "result"]) {
      const cancel = vi.fn();
      const { watch: call } = createStreams(silent(cancel), { watch });
      const open = kind === "watch" ? call : call.result;
      const items = open({}, options)[Symbol.asyncIterator]();
      const next = items.next();
      await sleep(1);
      await items.return?.();
      expect(await next).toEqual({ done: true, value: undefined });
      expect(await items.next()).toEqual({ done: true, value: undefined });
      expect(cancel).toHaveBeenCalledOnce();
    }
  });

  it("ends a stream that has not begun", async () => {
    const items = openStream(waitForever, watch, {}, forever);
    const iterator = items[Symbol.asyncIterator]();
    const next = iterator.next();
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("ends the wait for the next connection", async () => {
    const reconnect = { minDelayMs: 1e6, maxDelayMs: 1e6 };
    const lost: ClientOptions = {
      baseUrl: "http://host",
      fetch: () => Promise.reject(new TypeError("reset")),
    };
    const items = openStream(lost, watch, {}, { reconnect });
    const iterator = items[Symbol.asyncIterator]();
    const next = iterator.next();
    await sleep(1);
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

it("reports a lost stream with the error from the error table", () => {
  const lost = new TransportError("stream-lost", { cause: "why" });
  expect(lost).toBeInstanceOf(WebrpcStreamLostError);
  expect(lost).toMatchObject({
    name: "WebrpcStreamLost",
    code: -9,
    status: 400,
    message: "stream lost",
    reason: "stream-lost",
    cause: "why",
  });
  expect(sampleErrors.Geoblocked.name).toBe(GeoblockedError.errorName);
});
