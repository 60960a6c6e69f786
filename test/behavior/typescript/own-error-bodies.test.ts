import { describe, expect, it } from "vitest";
import { createShopServer } from "../../golden/fixtures/idempotency-keys/expected/server.js";
import {
  createClient,
  rpc,
} from "../../../runtime/typescript/codegen/create-client.js";
import { sendKey } from "../../../runtime/typescript/codegen/idempotency-key.js";
import { readErrorBodies } from "../../../runtime/typescript/codegen/read-errors.js";
import type { Fetch } from "../../../runtime/typescript/client/client.js";
import type {
  ClientMethod,
  ReadError,
} from "../../../runtime/typescript/client/client-method.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";

/** Reads any body. One declared error has the status of a running call. */
const readOwn = readErrorBodies(
  { check: () => undefined },
  { SoldOut: [2, 409] },
);

/** Bodies that contracts, frameworks and proxies print. */
const bodies = [
  '{"detail":"a call is running"}',
  '{"error":"SoldOut","code":2}',
  "<h1>409 Conflict</h1>",
  "",
];

/** Opens a shop that prints its errors itself, and calls it twice at once. */
async function orderTwice(print: (text: string) => string, error?: ReadError) {
  let runs = 0;
  let done = (): void => undefined;
  const isRunning = new Promise<void>((resolve) => (done = resolve));
  const server = createShopServer({
    handlers: {
      shop: {
        order: async () => {
          runs += 1;
          await isRunning;
          return { orderId: `order ${runs}` };
        },
        addNote: () => ({ noteId: 1 }),
        setNote: () => undefined,
        countOrders: () => ({ count: 1 }),
      },
    },
    idempotency: idempotency(memoryAnswers()),
  });
  const statuses: number[] = [];
  const fetch: Fetch = async (url, init) => {
    const sent = await server.fetch(new Request(url, init));
    statuses.push(sent.status);
    if (sent.ok) return sent;
    done();
    return new Response(print(await sent.text()), sent);
  };
  const order: ClientMethod<object, object, never> = rpc("/rpc/Shop/Order", {
    safety: "idempotent",
    use: [sendKey],
    ...(error && { error }),
  });
  const use = [retry({ maxBackoffMs: 0 })];
  const client = createClient({ baseUrl: "http://a", fetch, use }, { order });
  const own = { idempotencyKey: "draft 7" };
  const body = { sku: "A", count: 1 };
  const answers = await Promise.all([
    client.order(body, own),
    client.order(body, own),
  ]);
  expect(answers).toEqual([{ orderId: "order 1" }, { orderId: "order 1" }]);
  expect(runs).toBe(1);
  expect(statuses).toContain(409);
}

describe("a call waits for its running twin, whatever the body says", () => {
  it.each(bodies)("%s", async (body) => {
    await orderTwice(() => body);
    await orderTwice(() => body, readOwn);
  });

  it("of a server that prints the envelope", async () => {
    await orderTwice((text) => text);
  });
});

it("a declared error with the same status and Retry-After is the answer", async () => {
  let sent = 0;
  const order: ClientMethod<object, object, never> = rpc("/rpc/Shop/Order", {
    safety: "idempotent",
    use: [sendKey],
    error: readOwn,
  });
  const fetch: Fetch = async () => {
    sent += 1;
    const headers = { "retry-after": "0" };
    return new Response('{"detail":"none left"}', { status: 409, headers });
  };
  const use = [retry({ attempts: 2, backoffMs: 0 })];
  const client = createClient({ baseUrl: "http://a", fetch, use }, { order });
  expect(await client.order.result({})).toMatchObject({
    ok: false,
    error: { name: "SoldOut", message: "none left", status: 409 },
  });
  expect(sent).toBe(2);
});

it("a running call is asked for ten times a second at most", async () => {
  const times: number[] = [];
  const order: ClientMethod<object, object, never> = rpc("/rpc/Shop/Order", {
    safety: "idempotent",
    use: [sendKey],
  });
  const fetch: Fetch = async () => {
    times.push(performance.now());
    const headers = { "idempotency-state": "running", "retry-after": "0" };
    if (times.length === 4) return new Response("{}");
    return new Response(null, { status: 409, headers });
  };
  const use = [retry({ backoffMs: 0, maxBackoffMs: 0 })];
  const client = createClient({ baseUrl: "http://a", fetch, use }, { order });
  await client.order({});
  // Timers can be early by a millisecond.
  expect(Number(times[3]) - Number(times[0])).toBeGreaterThan(290);
});
