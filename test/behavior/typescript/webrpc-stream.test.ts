import { stream } from "@ridlkit/runtime/codegen/create-streams";
import {
  builtInErrorByCode,
  WebrpcError,
  webrpcService,
  type WebrpcStreamController,
  type WebrpcStreamOptions,
} from "@ridlkit/runtime/codegen/webrpc";
import { followStream } from "@ridlkit/runtime/codegen/webrpc-stream";
import { describe, expect, it, vi } from "vitest";

interface Tick {
  readonly at: number;
}

interface ClockClient {
  watch(
    req: { readonly room: string },
    options: WebrpcStreamOptions<Tick>,
  ): WebrpcStreamController;
  now(options: WebrpcStreamOptions<Tick>): WebrpcStreamController;
}

const watch = stream<{ readonly room: string }, Tick, never>("/rpc/Clock/W");
const now = stream<Record<string, never>, Tick, never>("/rpc/Clock/Now");

const Clock = webrpcService<ClockClient, object>({
  name: "Clock",
  path: "/rpc/Clock/",
  header: "webrpc;ridlkit;clock@v1",
  errorByCode: builtInErrorByCode,
  methods: {
    watch: { call: watch.item, hasRequest: true, follow: followStream },
    now: { call: now.item, hasRequest: false, follow: followStream },
  },
});

/**
 * Answers each request with the next item of `bodies`, and records the
 * requests.
 */
function createServer(...bodies: readonly BodyInit[]) {
  const asked: { url: string; body: unknown; headers: Headers }[] = [];
  const fetch = async (input: RequestInfo, init: RequestInit = {}) => {
    asked.push({
      url: String(input),
      body: init.body,
      headers: new Headers(init.headers),
    });
    const headers = { "content-type": "application/x-ndjson" };
    return new Response(bodies[asked.length - 1] ?? null, { headers });
  };
  return { asked, fetch };
}

/** Records events. `onError` calls `then` with the function that reconnects. */
function createListener(then?: (reconnect: () => void) => void) {
  const events: string[] = [];
  const errors: WebrpcError[] = [];
  const options: WebrpcStreamOptions<Tick> = {
    onOpen: () => events.push("open"),
    onMessage: ({ at }) => events.push(`at ${at}`),
    onError: (error, reconnect) => {
      events.push(error.name);
      errors.push(error);
      then?.(reconnect);
    },
    onClose: () => events.push("close"),
  };
  return { events, errors, options };
}

/** Creates a body that stays open after `text`. */
function openBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
}

describe("streams of a client whose class and methods have webrpc's names", () => {
  it("deliver every item", async () => {
    const server = createServer('\n{"at":1}\n\n{"at":2}\n');
    const { events, options } = createListener();
    const clock = new Clock("http://clock", server.fetch);
    await clock.watch({ room: "a" }, { ...options, headers: { "X-A": "1" } })
      .closed;
    expect(events).toEqual(["open", "at 1", "at 2", "close"]);
    const [{ url, body, headers } = expect.unreachable()] = server.asked;
    expect([url, body]).toEqual(["http://clock/rpc/Clock/W", '{"room":"a"}']);
    expect(headers.get("x-a")).toBe("1");
    expect(headers.get("webrpc")).toBe("webrpc;ridlkit;clock@v1");
  });

  it("send {} if no request is given", async () => {
    const server = createServer("");
    const { events, options } = createListener();
    await new Clock("http://clock", server.fetch).now(options).closed;
    expect(server.asked[0]?.body).toBe("{}");
    expect(events).toEqual(["open", "close"]);
  });

  it("end early with the server's error", async () => {
    const error = '{"error":"Gone","code":7,"msg":"gone","status":410}';
    const server = createServer(`{"at":1}\n{"webrpcError":${error}}\n`);
    const { events, errors, options } = createListener();
    await new Clock("http://clock", server.fetch).now(options).closed;
    expect(events).toEqual(["open", "at 1", "Gone"]);
    expect(errors[0]).toBeInstanceOf(WebrpcError);
    expect(errors[0]).toMatchObject({ code: 7, status: 410, message: "gone" });
  });

  it("do not open if the server rejects the request", async () => {
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response("", { status: 503 }));
    const { events, options } = createListener();
    await new Clock("http://clock", fetch).now(options).closed;
    expect(events).toEqual(["WebrpcBadResponse"]);
  });

  it("reconnect on request", async () => {
    const server = createServer('{"at":1}\n{"a', '{"at":2}\n');
    const { events, options } = createListener((reconnect) => reconnect());
    await new Clock("http://clock", server.fetch).now(options).closed;
    await expect.poll(() => events.at(-1)).toBe("close");
    expect(events).toEqual([
      "open",
      "at 1",
      "WebrpcStreamLost",
      "open",
      "at 2",
      "close",
    ]);
  });

  it.each(["controller", "signal"])("are aborted by the %s", async (by) => {
    const server = createServer(openBody('{"at":1}\n'));
    const refusals: unknown[] = [];
    const listener = createListener((reconnect) => {
      try {
        reconnect();
      } catch (error) {
        refusals.push(error);
      }
    });
    const own = new AbortController();
    const running = new Clock("http://clock", server.fetch).now({
      ...listener.options,
      signal: own.signal,
    });
    await expect.poll(() => listener.events).toContain("at 1");
    if (by === "signal") own.abort(new Error("enough"));
    else running.abort(new Error("enough"));
    await running.closed;
    expect(listener.events).toEqual(["open", "at 1", "WebrpcClientAborted"]);
    expect(listener.errors[0]).toMatchObject({ cause: "fetch(): enough" });
    expect(refusals).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
  });

  it("end with a listener's error after a reconnection", async () => {
    const server = createServer('{"a', openBody('{"at":2}\n'));
    const { options } = createListener((reconnect) => reconnect());
    const fault = new Error("mine");
    const onMessage = (): never => {
      throw fault;
    };
    const { closed } = new Clock("http://clock", server.fetch).now({
      ...options,
      onMessage,
    });
    await expect(closed).rejects.toBe(fault);
  });

  it("never start if the signal was already aborted", async () => {
    const server = createServer();
    const { events, options } = createListener();
    const signal = AbortSignal.abort();
    const clock = new Clock("http://clock", server.fetch);
    await clock.now({ ...options, signal }).closed;
    expect(events).toEqual(["WebrpcClientAborted"]);
    expect(server.asked).toEqual([]);
  });

  it("leave no listener on the signal", async () => {
    const server = createServer('{"at":1}\n');
    const { events, options } = createListener();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const clock = new Clock("http://clock", server.fetch);
    await clock.now({ ...options, signal }).closed;
    expect(events).toEqual(["open", "at 1", "close"]);
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it("report an invalid header as a failed request", async () => {
    const server = createServer();
    const { errors, options } = createListener();
    const clock = new Clock("http://clock", server.fetch, {
      headers: { "x-key": "line\nbreak" },
    });
    await clock.now(options).closed;
    expect(errors).toMatchObject([
      { name: "WebrpcRequestFailed", cause: "TypeError: bad-request" },
    ]);
    expect(server.asked).toEqual([]);
  });

  it("end with a listener's error", async () => {
    const server = createServer(openBody('{"at":1}\n'));
    const { options } = createListener();
    const fault = new Error("mine");
    const onMessage = (): never => {
      throw fault;
    };
    const { closed } = new Clock("http://clock", server.fetch).now({
      ...options,
      onMessage,
    });
    await expect(closed).rejects.toBe(fault);
  });
});
