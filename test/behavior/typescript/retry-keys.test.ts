import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createShopClient } from "../../golden/fixtures/idempotency-keys/expected/index.js";
import { createShopServer } from "../../golden/fixtures/idempotency-keys/expected/server.js";
import type {
  ClientInterceptor,
  ClientOptions,
  Fetch,
} from "../../../runtime/typescript/client/client.js";
import {
  checkResponses,
  limitResponses,
  type ResponseChecks,
  retry,
  type RetryOptions,
} from "../../../runtime/typescript/client/interceptors.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";

// A second in these tests takes no time. Hashing on another thread would.
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (_, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return new Uint8Array(createHash("sha256").update(bytes).digest()).buffer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const body = { sku: "A", count: 1 };
const refusal: ResponseChecks = {
  "/rpc/Shop/Order": (_, report) => report.failAt("orderId", "none", "1"),
};

/** The milliseconds after which a request loses its connection, if it does. */
type Cut = number | undefined;

/** Opens a shop whose handlers take some time, and a client of it. */
function openShop(
  takesMs: number,
  cuts: readonly Cut[],
  options: Partial<ClientOptions> = {},
  retryOptions?: RetryOptions,
) {
  const seen = { runs: 0, sent: 0, statuses: [] as number[] };
  const work = async <T>(result: (run: number) => T): Promise<T> => {
    const run = (seen.runs += 1);
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return result(run);
  };
  const server = createShopServer({
    handlers: {
      shop: {
        order: () => work((run) => ({ orderId: `order ${run}` })),
        addNote: () => work(() => ({ noteId: 1 })),
        setNote: () => work(() => ({})),
        countOrders: () => work(() => ({ count: 1 })),
      },
    },
    idempotency: idempotency(memoryAnswers()),
  });
  const fetch: Fetch = async (url, init) => {
    const cutMs = cuts[seen.sent];
    seen.sent += 1;
    // The handler runs on when the connection is lost.
    const answer = server.fetch(new Request(url, { ...init, signal: null }));
    const response = await Promise.race([
      answer,
      new Promise<never>((_, reject) => {
        const { signal } = init;
        signal?.addEventListener("abort", () => reject(signal.reason));
        if (cutMs !== undefined)
          setTimeout(() => reject(new TypeError("reset")), cutMs);
      }),
    ]);
    seen.statuses.push(response.status);
    return response;
  };
  const use = [retry(retryOptions)];
  const baseUrl = "http://shop.test";
  return { seen, shop: createShopClient({ baseUrl, fetch, use, ...options }) };
}

/** Cuts the first response of a client, which arrives without a failure. */
function cutFirst(): ClientInterceptor {
  let count = 0;
  return (next) => (call) =>
    next({
      ...call,
      fetch: async (url, init) => {
        const response = await (call.fetch ?? fetch)(url, init);
        count += 1;
        return count === 1
          ? new Response((await response.text()).slice(0, -2), response)
          : response;
      },
    });
}

/** Waits for the outcome of a call, and returns how long it took. */
async function timed<T>(call: Promise<T>) {
  const start = performance.now();
  const outcome = call.then(
    (value) => ({ value, ms: performance.now() - start }),
    (error: unknown) => ({ error, ms: performance.now() - start }),
  );
  await vi.advanceTimersByTimeAsync(600_000);
  return outcome;
}

describe("a call with a key that takes 4 seconds", () => {
  it.each([
    ["is not cut within its 5 seconds", { timeoutMs: 5000 }, []],
    ["waits for its answer if its connection is lost", {}, [100]],
    [
      "waits for its answer if its connection is lost, within its 5 seconds",
      { timeoutMs: 5000 },
      [1000],
    ],
    [
      "has as many attempts as failures allow, however long it waits",
      { timeoutMs: 5000 },
      [100, undefined, 10],
    ],
  ])("%s", async (_, options, cuts) => {
    const { seen, shop } = openShop(4000, cuts, options);
    const outcome = await timed(shop.order(body));
    expect(outcome).toMatchObject({ value: { orderId: "order 1" } });
    expect(outcome.ms).toBeGreaterThanOrEqual(4000);
    expect(outcome.ms).toBeLessThanOrEqual(5000);
    expect(seen.runs).toBe(1);
    expect(seen.sent).toBeLessThanOrEqual(6);
    expect(seen.statuses.at(-1)).toBe(200);
  });

  it("waits for its answer after an attempt that was cut", async () => {
    const { seen, shop } = openShop(4000, [], {}, { attemptTimeoutMs: 500 });
    const outcome = await timed(shop.order(body));
    expect(outcome).toMatchObject({ value: { orderId: "order 1" } });
    expect(seen.runs).toBe(1);
    expect(seen.statuses).toContain(409);
  });

  it("waits with `attempts: 1` too, as for a call of another process", async () => {
    const { seen, shop } = openShop(4000, [], {}, { attempts: 1 });
    const own = { idempotencyKey: "draft 7" };
    const both = Promise.all([shop.order(body, own), shop.order(body, own)]);
    expect(await timed(both)).toMatchObject({
      value: [{ orderId: "order 1" }, { orderId: "order 1" }],
    });
    expect(seen.runs).toBe(1);
  });
});

it("asks for the stored answer if a part of it has arrived", async () => {
  const { seen, shop } = openShop(0, [], { use: [retry(), cutFirst()] });
  expect(await timed(shop.order(body))).toMatchObject({
    value: { orderId: "order 1" },
  });
  expect(seen).toMatchObject({ runs: 1, statuses: [200, 200] });
});

it.each([
  ["is too large", (own) => [own, limitResponses({ maxBytes: 9 })]],
  ["is too large", (own) => [limitResponses({ maxBytes: 9 }), own]],
  ["violates the contract", (own) => [own, checkResponses(refusal, "throw")]],
] satisfies [string, (own: ClientInterceptor) => ClientInterceptor[]][])(
  "does not ask again for an answer that %s",
  async (_, use) => {
    const { seen, shop } = openShop(0, [], { use: use(retry()) });
    expect(await timed(shop.order(body))).toMatchObject({
      error: { reason: "bad-response", status: 200 },
    });
    expect(seen.sent).toBe(1);
  },
);

it("does not repeat a read of which a part has arrived", async () => {
  const { seen, shop } = openShop(0, [], { use: [retry(), cutFirst()] });
  expect(await timed(shop.countOrders())).toMatchObject({
    error: { reason: "bad-response" },
  });
  expect(seen.sent).toBe(1);
});

it.each([0, 1, 3])(
  "the last word before the deadline is not 409, with backoffMs %d",
  async (backoffMs) => {
    const options = { timeoutMs: 5000 };
    const { seen, shop } = openShop(9000, [100], options, { backoffMs });
    const outcome = await timed(shop.order(body));
    expect(outcome).toMatchObject({ error: { reason: "timeout" }, ms: 5000 });
    expect(seen.statuses).toContain(409);
    expect(seen.runs).toBe(1);
  },
);

it("waits for minutes without a deadline", async () => {
  const { seen, shop } = openShop(300_000, [100]);
  const outcome = await timed(shop.order(body));
  expect(outcome).toMatchObject({ value: { orderId: "order 1" } });
  expect(seen.runs).toBe(1);
});

it("stops waiting if the call is aborted", async () => {
  const { seen, shop } = openShop(300_000, [100]);
  const controller = new AbortController();
  const { signal } = controller;
  const call = shop.order(body, { signal });
  setTimeout(() => controller.abort(), 2500);
  const outcome = await timed(call);
  expect(outcome).toMatchObject({ error: { reason: "aborted" }, ms: 2500 });
  expect(seen.sent).toBeLessThanOrEqual(4);
});

it("a read of 1.5 seconds runs once within its 2 seconds", async () => {
  const { seen, shop } = openShop(1500, [], { timeoutMs: 2000 });
  expect(await timed(shop.countOrders())).toMatchObject({
    value: { count: 1 },
    ms: 1500,
  });
  expect(seen.runs).toBe(1);
});

it.each([
  ["0", 200],
  ["3600", 10_000],
  [null, 200],
])(
  "asks again at a moderate rate if Retry-After is %j",
  async (header, firstMs) => {
    const times: number[] = [];
    const fetch: Fetch = async () => {
      times.push(performance.now());
      if (times.length === 8) return Response.json({ orderId: "1" });
      const running = { error: "WebrpcRequestFailed", code: -1, status: 409 };
      const headers = header === null ? undefined : { "retry-after": header };
      return Response.json(running, {
        status: 409,
        ...(headers && { headers }),
      });
    };
    const use = [retry({ jitter: 0 })];
    const shop = createShopClient({ baseUrl: "http://shop.test", fetch, use });
    expect(await timed(shop.order(body))).toMatchObject({
      value: { orderId: "1" },
    });
    expect(Number(times[1]) - Number(times[0])).toBe(firstMs);
    expect(Number(times[7]) - Number(times[6])).toBe(10_000);
  },
);
