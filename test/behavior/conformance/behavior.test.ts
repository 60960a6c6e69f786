import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hosts, type Running } from "../typescript/hosts.js";
import { until } from "../typescript/stream-server.js";
import { http2Host } from "./http2-host.js";
import {
  serveContract,
  type AnyCall,
  type ServedContract,
} from "./served-contract.js";

type Client = ReturnType<ServedContract["createClient"]>;

function methodOf(client: Client, service: string, method: string): AnyCall {
  const call = client[service]?.[method];
  if (call === undefined) throw new Error(`there is no ${service}.${method}`);
  return call;
}

function failureOf(outcome: unknown): Promise<unknown> {
  return Promise.resolve(outcome).then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );
}

/** Returns the items of a stream and the error that ends it. */
async function itemsOf(stream: unknown): Promise<{
  items: unknown[];
  error: unknown;
}> {
  const items: unknown[] = [];
  try {
    for await (const item of stream as AsyncIterable<unknown>) items.push(item);
    return { items, error: null };
  } catch (error) {
    return { items, error };
  }
}

/** Cuts a stream in the middle of the line after some items. */
function cutAfter(items: number, text: string): string {
  // The first line is empty, and the text ends with a line feed.
  const lines = text.split("\n");
  if (lines.length - 2 <= items) return text;
  return `${lines.slice(0, items + 1).join("\n")}\n{"line":`;
}

/** The ways to end a call early. */
const endings: readonly (readonly [
  title: string,
  options: (signal: AbortSignal) => { client?: object; call?: object },
  reason: "aborted" | "timeout",
])[] = [
  ["the call's signal", (signal) => ({ call: { signal } }), "aborted"],
  ["the client's signal", (signal) => ({ client: { signal } }), "aborted"],
  [
    "the client's signal alongside the call's signal",
    (signal) => ({
      client: { signal },
      call: { signal: new AbortController().signal },
    }),
    "aborted",
  ],
  ["the call's timeout", () => ({ call: { timeoutMs: 60 } }), "timeout"],
  ["the client's timeout", () => ({ client: { timeoutMs: 60 } }), "timeout"],
  [
    "the call's timeout, which is shorter than the client's",
    () => ({ client: { timeoutMs: 10_000 }, call: { timeoutMs: 60 } }),
    "timeout",
  ],
];

describe.each([...hosts, http2Host])("cancellation on $name", (host) => {
  let served: ServedContract;
  let running: Running;
  beforeAll(async () => {
    served = await serveContract({ int64: "number", timestamp: "string" });
    running = await host.start(served.server);
  });
  afterAll(() => running.close());

  const open = (options: object = {}): Client =>
    served.createClient({
      baseUrl: "http://host",
      fetch: running.fetch,
      ...options,
    });

  it.each(endings)(
    "ends a call early because of %s",
    async (_, optionsOf, reason) => {
      const controller = new AbortController();
      const { client, call } = optionsOf(controller.signal);
      const sleep = methodOf(open(client), "time", "sleep");
      const before = served.startedCount();
      const failure = failureOf(sleep({ ms: 60_000 }, call));
      if (reason === "aborted") {
        await until(() => served.startedCount() > before);
        controller.abort("enough");
      }
      const error = await failure;
      expect(error).toMatchObject({ reason });
      if (reason === "aborted")
        expect(error).toMatchObject({ cause: "enough" });
      await until(() => served.abortedCount() === served.startedCount());
    },
  );

  it("sends nothing if the abort comes before the call", async () => {
    const before = served.seen();
    const uint8 = methodOf(open(), "echo", "uint8");
    const signal = AbortSignal.abort("never");
    const error = await failureOf(uint8({ value: 99 }, { signal }));
    expect(error).toMatchObject({ reason: "aborted", cause: "never" });
    expect(served.seen()).toBe(before);
  });

  it("returns the response if the abort comes later, and aborts the next call", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const uint8 = methodOf(open({ signal, timeoutMs: 5000 }), "echo", "uint8");
    expect(await uint8({ value: 1 }, { signal })).toEqual({ value: 1 });
    controller.abort();
    const error = await failureOf(uint8({ value: 1 }));
    expect(error).toMatchObject({ reason: "aborted" });
  });

  it("ends only the call that the signal belongs to", async () => {
    const controller = new AbortController();
    const sleep = methodOf(open(), "time", "sleep");
    const { signal } = controller;
    const left = failureOf(sleep({ ms: 60_000 }, { signal }));
    const kept = methodOf(open(), "echo", "uint8")({ value: 1 });
    controller.abort();
    expect(await left).toMatchObject({ reason: "aborted" });
    expect(await kept).toEqual({ value: 1 });
    const again = methodOf(open(), "echo", "uint8");
    expect(await again({ value: 2 })).toEqual({ value: 2 });
  });
});

describe.each([...hosts, http2Host])("a client's streams on $name", (host) => {
  let served: ServedContract;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    served = await serveContract({ int64: "bigint", timestamp: "date" });
    running = await host.start(served.server);
    const { fetch } = running;
    client = served.createClient({ baseUrl: "http://host", fetch });
  });
  afterAll(() => running.close());

  it.each([0, 1, 3, 500])("return %i items completely", async (to) => {
    const large = 2n ** 200n;
    const count = methodOf(client, "lines", "count");
    const { items, error } = await itemsOf(count({ to, large }));
    expect(error).toBeNull();
    expect(items).toEqual(
      Array.from({ length: to }, (_, index) => ({ n: index + 1, large })),
    );
  });

  it.each([
    ["plain Conflict", 0, { name: "Conflict", code: 1409, status: 409 }],
    ["plain Conflict", 2, { name: "Conflict", code: 1409, status: 409 }],
    ["exception", 1, { name: "WebrpcInternalError", code: -7, status: 500 }],
    ["invalid", 1, { name: "WebrpcBadResponse", code: -5, status: 500 }],
  ])("end with %s after %i items", async (how, after, wanted) => {
    const fail = methodOf(client, "lines", "fail");
    const { items, error } = await itemsOf(fail({ how, after }));
    expect(items).toHaveLength(after);
    expect(error).toMatchObject(wanted);
  });

  it("end with an error and its data", async () => {
    const end = methodOf(client, "lines", "end");
    const data = {
      limit: 2n ** 64n - 1n,
      used: 2n ** 70n,
      resetAt: new Date("2030-01-02T03:04:05.678Z"),
    };
    const { items, error } = await itemsOf(end({ how: "data", data }));
    expect(items).toEqual([{ n: 1 }]);
    expect(error).toMatchObject({ name: "QuotaReached", data });
  });

  it("continue after their last item if they are cut", async () => {
    const sent: unknown[] = [];
    const cut: typeof running.fetch = async (url, init) => {
      sent.push(JSON.parse(String(init.body)));
      const response = await running.fetch(url, init);
      const { headers } = response;
      return new Response(cutAfter(2, await response.text()), { headers });
    };
    const follow = methodOf(
      served.createClient({ baseUrl: "http://host", fetch: cut }),
      "lines",
      "follow",
    );
    const reconnect = { minDelayMs: 1, attempts: 3 };
    const { items, error } = await itemsOf(follow({ to: 5n }, { reconnect }));
    expect(error).toBeNull();
    expect(items).toEqual([1n, 2n, 3n, 4n, 5n].map((n) => ({ line: { n } })));
    expect(sent).toEqual([{ to: 5 }, { to: 5, after: 2 }, { to: 5, after: 4 }]);
  });

  it("reject invalid fields", async () => {
    const count = methodOf(client, "lines", "count");
    const { items, error } = await itemsOf(count({ to: -1, large: 0n }));
    expect(items).toEqual([]);
    expect(error).toMatchObject({ name: "InvalidArgument", status: 400 });
  });

  it("end when the client leaves the loop, which also ends the handler", async () => {
    const endless = methodOf(client, "lines", "endless");
    const before = served.leftCount();
    let last = 0;
    for await (const item of endless() as AsyncIterable<{ n: number }>) {
      last = item.n;
      if (last === 5) break;
    }
    expect(last).toBe(5);
    await until(() => served.leftCount() === before + 1);
  });

  it("end after an abort, which also ends the handler", async () => {
    const endless = methodOf(client, "lines", "endless");
    const before = served.leftCount();
    const controller = new AbortController();
    const { signal } = controller;
    const stream = endless({}, { signal }) as AsyncIterable<unknown>;
    const untilFirst = async function* () {
      for await (const item of stream) {
        yield item;
        controller.abort("enough");
      }
    };
    const { items, error } = await itemsOf(untilFirst());
    expect(items.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ reason: "aborted", cause: "enough" });
    await until(() => served.leftCount() === before + 1);
  });
});
