import { createServer, type Server } from "node:net";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import {
  call,
  connect,
  TransportError,
  type ClientInterceptor,
  type ClientMethod,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import {
  createClient,
  createSender,
  rpc,
  webhook,
} from "../../../runtime/typescript/codegen/create-client.js";
import {
  limitResponses,
  observe,
  refreshCredentials,
} from "../../../runtime/typescript/client/interceptors.js";
import {
  callTransfer,
  type TransferMethod,
} from "../../../runtime/typescript/client/transfer.js";
import { transfer } from "../../../runtime/typescript/codegen/create-transfers.js";
import {
  openStream,
  type StreamMethod,
} from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";
import type { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { startServer, type LocalServer } from "./local-server.js";

const ping: ClientMethod<{}, {}, RpcError> = rpc("/ping");

let server: LocalServer;
let arrived: () => void = () => {};
/**
 * How the server responds: not at all, with headers only, with half a body,
 * with half a body before the connection breaks, or completely.
 */
let behavior: "silent" | "head" | "half" | "broken" | "whole" = "whole";

beforeAll(async () => {
  server = await startServer((response) => {
    if (behavior === "whole") {
      response.end("{}");
      return;
    }
    if (behavior !== "silent") {
      response.writeHead(200, { "content-length": "100" });
      response.flushHeaders();
    }
    if (behavior === "half" || behavior === "broken") response.write('{"x":');
    if (behavior === "broken") setTimeout(() => response.destroy(), 5);
    arrived();
  });
});
afterAll(() => server.close());
beforeEach(() => {
  behavior = "whole";
  server.seen.length = 0;
});

function arrival(): Promise<void> {
  return new Promise((resolve) => {
    arrived = resolve;
  });
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );
}

/** Creates a signal that counts its listeners. */
function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (
    kind: string,
    listener: EventListener,
    options?: AddEventListenerOptions,
  ) => {
    const forget = () => listeners.delete(listener);
    listeners.add(listener);
    options?.signal?.addEventListener("abort", forget);
    add(kind, listener, options);
  };
  const remove = signal.removeEventListener.bind(signal);
  signal.removeEventListener = (kind: string, listener: EventListener) => {
    listeners.delete(listener);
    remove(kind, listener);
  };
  return { controller, signal, listeners };
}

/** Creates a body from these chunks. */
function streamOf(...texts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) {
        controller.enqueue(new TextEncoder().encode(text));
      }
      controller.close();
    },
  });
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout")
    .length;
}

describe("a network failure", () => {
  it("occurs if no server is listening", async () => {
    const closed = await startServer(() => {});
    await closed.close();
    const error = await failureOf(connect({ baseUrl: closed.url }).call(ping));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      name: "WebrpcRequestFailed",
      code: -1,
      status: 0,
      reason: "network",
    });
    expect(error).toHaveProperty("cause", expect.any(TypeError));
  });

  it("occurs if the connection breaks before the response", async () => {
    const raw: Server = createServer((socket) => {
      socket.once("data", () => socket.destroy());
    });
    const { url } = await listenForTest(raw);
    const connection = connect({ baseUrl: url });
    expect(await failureOf(connection.call(ping))).toMatchObject({
      reason: "network",
    });
  });

  it("occurs if the connection breaks during the body", async () => {
    behavior = "broken";
    const result = await connect({ baseUrl: server.url }).result(ping);
    expect(result).toMatchObject({ ok: false, error: { reason: "network" } });
  });

  it("occurs if a custom fetch throws, immediately or later", async () => {
    const cause = new Error("no");
    for (const fetch of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const call = connect({ baseUrl: "http://x", fetch }).call(ping);
      expect(await failureOf(call)).toMatchObject({ reason: "network", cause });
    }
  });
});

describe("a timeout", () => {
  it.each(["silent", "head", "half"] as const)(
    "ends a call (response: %s)",
    async (kind) => {
      behavior = kind;
      const options = { baseUrl: server.url, timeoutMs: 40 };
      const error = await failureOf(connect(options).call(ping));
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({
        name: "WebrpcRequestFailed",
        code: -1,
        reason: "timeout",
      });
    },
  );

  it("can be set for one call, and takes precedence over the client's timeout", async () => {
    behavior = "silent";
    const client = createClient(
      { baseUrl: server.url, timeoutMs: 60_000 },
      { ping },
    );
    const error = await failureOf(client.ping({}, { timeoutMs: 20 }));
    expect(error).toMatchObject({ reason: "timeout" });
    expect(error).not.toHaveProperty("cause");
    behavior = "whole";
    const hasty = createClient({ baseUrl: server.url, timeoutMs: 1 }, { ping });
    expect(await hasty.ping({}, { timeoutMs: Infinity })).toEqual({});
    expect(await hasty.ping({}, { timeoutMs: 2 ** 40 })).toEqual({});
  });

  it("does not depend on a custom fetch", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const options = { baseUrl: "http://x", fetch, timeoutMs: 10 };
    expect(await failureOf(connect(options).call(ping))).toMatchObject({
      reason: "timeout",
    });
  });

  it("leaves no timer open", async () => {
    const before = timers();
    const options = { baseUrl: server.url, timeoutMs: 60_000 };
    for (let i = 0; i < 5; i += 1) await connect(options).call(ping);
    const closed = { ...options, baseUrl: "http://127.0.0.1:1" };
    await failureOf(connect(closed).call(ping));
    expect(timers()).toBeLessThanOrEqual(before + 1);
  });
});

describe("an abort", () => {
  const reason = new Error("the user left");

  it.each(["silent", "head", "half"] as const)(
    "ends a call (response: %s)",
    async (kind) => {
      for (const at of ["client", "call"] as const) {
        behavior = kind;
        const { controller, signal, listeners } = countingSignal();
        const options = { baseUrl: server.url, timeoutMs: 60_000 };
        const there = arrival();
        const call =
          at === "client"
            ? connect({ ...options, signal }).call(ping)
            : connect(options).call(ping, {}, { signal });
        const failure = failureOf(call);
        await there;
        controller.abort(reason);
        expect(await failure).toMatchObject({
          name: "WebrpcClientDisconnected",
          code: -8,
          reason: "aborted",
          cause: reason,
        });
        expect(listeners.size).toBe(0);
      }
    },
  );

  it("sends nothing if it happens before the call", async () => {
    const signal = AbortSignal.abort(reason);
    for (const options of [{ signal }, {}]) {
      const connection = connect({ baseUrl: server.url, ...options });
      const result = await connection.result(ping, {}, { signal });
      expect(result).toMatchObject({
        ok: false,
        error: { reason: "aborted", cause: reason },
      });
    }
    expect(server.seen).toEqual([]);
  });

  it("has the reason of the signal that is aborted first, if there are two", async () => {
    behavior = "silent";
    const [first, second] = [countingSignal(), countingSignal()];
    const connection = connect({ baseUrl: server.url, signal: first.signal });
    const there = arrival();
    const call = connection.call(ping, {}, { signal: second.signal });
    const failure = failureOf(call);
    await there;
    second.controller.abort("second");
    first.controller.abort("first");
    expect(await failure).toMatchObject({ cause: "second" });
    expect([first.listeners.size, second.listeners.size]).toEqual([0, 0]);
  });

  it("changes nothing after the response, and leaves no listener", async () => {
    const { controller, signal, listeners } = countingSignal();
    const connection = connect({ baseUrl: server.url, signal });
    for (let i = 0; i < 3; i += 1)
      expect(await connection.call(ping)).toEqual({});
    expect(listeners.size).toBe(0);
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("needs no `throwIfAborted`, which signals in React Native lack", async () => {
    const refresh = vi.fn();
    const call = connect({
      baseUrl: "https://example.com",
      fetch: async () =>
        new Response("{}", { status: refresh.mock.calls.length ? 200 : 401 }),
      timeoutMs: 5000,
      use: [refreshCredentials(refresh, { repeatsAll: true })],
    });
    class Controller extends AbortController {
      override readonly signal = Object.assign(super.signal, {
        throwIfAborted: undefined,
      });
    }
    vi.stubGlobal("AbortController", Controller);
    try {
      expect(await call.call(ping, {})).toEqual({});
      expect(refresh).toHaveBeenCalledOnce();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("reaches fetch", async () => {
    const controller = new AbortController();
    let given: AbortSignal | null | undefined;
    const options: ClientOptions = {
      baseUrl: "http://x",
      signal: controller.signal,
      fetch: (_, init) => {
        given = init.signal;
        return new Promise(() => {});
      },
    };
    const failure = failureOf(connect(options).call(ping));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(given?.aborted).toBe(false);
    controller.abort(reason);
    await failure;
    expect(given?.aborted).toBe(true);
  });
});

describe("a limited response", () => {
  const options = {
    baseUrl: "http://host",
    use: [limitResponses({ maxBytes: 9 })],
  };

  it("arrives if it is short enough, in chunks of any size", async () => {
    const fetch = async () => new Response(streamOf('{"a"', ":", '"é"}'));
    await expect(call({ ...options, fetch }, ping, {})).rejects.toMatchObject({
      reason: "bad-response",
    });
    const roomy = {
      ...options,
      use: [limitResponses({ maxBytes: 10 })],
      fetch,
    };
    expect(await call(roomy, ping, {})).toEqual({ a: "é" });
  });

  it("is never a stream", async () => {
    const fetch = async () =>
      new Response(streamOf('{"n":1}\n', '{"n":2}\n', '{"n":3}\n'));
    const items: unknown[] = [];
    const watch: StreamMethod<{}, unknown, RpcError> = stream("/watch");
    for await (const item of openStream({ ...options, fetch }, watch)) {
      items.push(item);
    }
    expect(items).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("has at most 32 MiB by default", async () => {
    const chunk = new Uint8Array(1024 * 1024);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(chunk),
    });
    const fetch = async () => new Response(endless);
    const limited = { ...options, use: [limitResponses()], fetch };
    expect(await failureOf(call(limited, ping, {}))).toMatchObject({
      reason: "bad-response",
      cause: `the response has more than ${32 * 1024 * 1024} bytes`,
    });
  });

  it("is read only up to its limit", async () => {
    let count = 0;
    const cancel = vi.fn();
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        count += 1;
        controller.enqueue(new Uint8Array(4).fill(32));
      },
      cancel,
    });
    const fetch = async () => new Response(endless, { status: 200 });
    const error = await failureOf(call({ ...options, fetch }, ping, {}));
    expect(error).toMatchObject({
      reason: "bad-response",
      status: 200,
      cause: "the response has more than 9 bytes",
    });
    expect(cancel).toHaveBeenCalledOnce();
    expect(count).toBeLessThan(6);
  });

  it("may be a file of any length", async () => {
    const fetch = async () => new Response("more than nine bytes");
    const download: TransferMethod<{}, { file: FileData }, RpcError> = transfer(
      "/rpc/F/Get",
      { file: "file" },
    );
    const { file } = await callTransfer({ ...options, fetch }, download, {});
    expect(await new Response(file.stream()).text()).toBe(
      "more than nine bytes",
    );
  });
});

describe("an outbound call", () => {
  const notify: ClientMethod<{}, void, RpcError> = webhook();

  it("has a time limit, even if the option is undefined", async () => {
    const seen: unknown[] = [];
    const limits = { timeoutMs: undefined as never };
    const use: ClientInterceptor[] = [
      (next) => (call) => {
        seen.push(call.timeoutMs);
        return next(call);
      },
    ];
    const fetch = async () => new Response();
    const sender = createSender({ ...limits, fetch, use }, { notify });
    await sender.notify("https://a.example", {}, limits);
    await sender.notify("https://a.example", {}, { timeoutMs: 1e9 });
    expect(seen).toEqual([30_000, 1e9]);
  });

  it("does not wait for the body of a success", async () => {
    behavior = "half";
    const sender = createSender({ timeoutMs: 30_000 }, { notify });
    expect(await sender.notify(server.url, {})).toBeUndefined();
  });

  it("reads only the beginning of an error", async () => {
    let count = 0;
    const cancel = vi.fn();
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        count += 1;
        controller.enqueue(new Uint8Array(1024).fill(32));
      },
      cancel,
    });
    const fetch = async () => new Response(endless, { status: 500 });
    const sender = createSender({ fetch }, { notify });
    const error = await failureOf(sender.notify("http://host", {}));
    expect(error).toMatchObject({ reason: "bad-response", status: 500 });
    expect(cancel).toHaveBeenCalledOnce();
    expect(count).toBeLessThan(70);
  });

  it.each([500, 999])("has the status of the response: %i", async (status) => {
    const envelope = { error: "X", status: 200, cause: { secret: 1 } };
    const raw: Server = createServer((socket) => {
      const body = JSON.stringify(envelope);
      const length = `Content-Length: ${body.length}`;
      socket.once("data", () =>
        socket.end(`HTTP/1.1 ${status} X\r\n${length}\r\n\r\n${body}`),
      );
    });
    const { url } = await listenForTest(raw);
    const seen: unknown[] = [];
    const use = [observe({ onEnd: (_, outcome) => seen.push(outcome.status) })];
    const sender = createSender({ use }, { notify });
    const error = await failureOf(sender.notify(url, {}));
    expect(error).toMatchObject({ name: "X", status });
    expect(error).not.toHaveProperty("cause");
    expect(seen).toEqual([status]);
    const limited = { baseUrl: url, use: [limitResponses()] };
    expect(await failureOf(call(limited, ping, {}))).toMatchObject({ status });
  });

  it("reports the status of a success to interceptors", async () => {
    const seen: unknown[] = [];
    const use = [observe({ onEnd: (_, outcome) => seen.push(outcome.status) })];
    const fetch = async () => new Response("accepted", { status: 202 });
    await createSender({ fetch, use }, { notify }).notify("http://host", {});
    expect(seen).toEqual([202]);
  });

  it("takes at most 30 seconds by default", async () => {
    vi.useFakeTimers();
    try {
      const fetch = () => new Promise<Response>(() => {});
      const sender = createSender({ fetch }, { notify });
      const failure = failureOf(sender.notify("http://host", {}));
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await failure).toMatchObject({ reason: "timeout" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("has a timeout like any other call", async () => {
    behavior = "silent";
    const sender = createSender({ timeoutMs: 20 }, { notify });
    const error = await failureOf(sender.notify(server.url, {}));
    expect(error).toMatchObject({ reason: "timeout" });
    expect(error).not.toHaveProperty("cause");
  });
});

it("cancels the streams of other files if reading one of them fails", async () => {
  const cancelled = vi.fn();
  const failing = {
    type: "",
    stream: () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.error(new Error("the disk failed")),
      }),
  };
  const other = {
    type: "",
    stream: () => new ReadableStream<Uint8Array>({ cancel: cancelled }),
  };
  const method = transfer<{ files: unknown }, {}, never>("/rpc/Files/Upload", {
    files: ["files"],
  });
  const call = callTransfer({ baseUrl: "http://host" }, method, {
    files: [other, failing],
  });
  await expect(call).rejects.toThrow();
  await expect.poll(() => cancelled.mock.calls.length).toBe(1);
});
