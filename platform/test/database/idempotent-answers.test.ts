import pg from "pg";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";

import { retry } from "../../../runtime/typescript/client/interceptors.js";
import type { Fetch } from "../../../runtime/typescript/client/client.js";
import type { RequestFacts } from "../../../runtime/typescript/server/server.js";
import {
  answersTable,
  idempotency,
  pgConnection,
  postgresAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import {
  createShopClient,
  SoldOutError,
} from "../../../test/golden/fixtures/idempotency-keys/expected/index.js";
import { createShopServer } from "../../../test/golden/fixtures/idempotency-keys/expected/server.js";
import { createMigratedDatabase } from "../support/test-database.js";

const callCount = 60;
let url = "";
let reader: pg.Pool;

beforeAll(async () => {
  url = await createMigratedDatabase();
  reader = openPool(1);
  // The table as users create it, in place of the platform's.
  await reader.query("DROP TABLE idempotent_answers");
  await reader.query(answersTable);
  await reader.query("CREATE TABLE shop_orders (sku text, id serial)");
});

afterAll(() => reader.end());

function openPool(max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  // Connections that a test ends are no failure.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

interface InstanceOptions {
  readonly beginsOnJoin?: boolean;
  /** Runs in the handler before it joins the transaction. */
  readonly before?: (sku: string) => unknown;
  /** Runs in the transaction, after the order is stored. */
  readonly during?: (client: pg.PoolClient, sku: string) => unknown;
}

/** Opens one of several instances of a server on the same database. */
function openInstance({
  before = () => undefined,
  beginsOnJoin = false,
  during = () => undefined,
}: InstanceOptions = {}) {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // The server of all tests has 100 connections.
  onTestFinished(() => pool.end());
  const answers = postgresAnswers(pgConnection(pool), { beginsOnJoin });
  const server = createShopServer({
    idempotency: idempotency(answers),
    onError: () => undefined,
    handlers: {
      shop: {
        order: async ({ sku }, context) => {
          await before(sku);
          const id = await answers.join(context, async (client) => {
            const statement =
              "INSERT INTO shop_orders (sku) VALUES ($1) RETURNING id";
            const { rows } = await client.query(statement, [sku]);
            await during(client, sku);
            return rows[0].id;
          });
          return { orderId: String(id) };
        },
        addNote: () => ({ noteId: 1 }),
        setNote: () => ({}),
        countOrders: () => ({ count: 1 }),
      },
    },
  });
  const fetch: Fetch = (to, init) => server.fetch(new Request(to, init));
  return fetch;
}

async function ordersOf(prefix: string): Promise<readonly string[]> {
  const { rows } = await reader.query(
    "SELECT sku FROM shop_orders WHERE sku LIKE $1",
    [`${prefix}%`],
  );
  return rows.map(({ sku }) => sku);
}

const baseUrl = "http://shop.test";

describe.each([
  ["before the handler", false],
  ["when the handler joins", true],
])("a transaction that begins %s", (name, beginsOnJoin) => {
  test("runs each call once on two instances with lost connections", async () => {
    const instances = [
      openInstance({ beginsOnJoin }),
      openInstance({ beginsOnJoin }),
    ];
    const lost: Fetch = async (to, init) => {
      const [instance = openInstance({ beginsOnJoin })] = instances.splice(
        Math.floor(Math.random() * instances.length),
        1,
      );
      instances.push(instance);
      const lot = Math.random();
      if (lot < 0.2) throw new TypeError("lost before the server");
      if (lot < 0.4) {
        void instance(to, init);
        throw new TypeError("lost while the server works");
      }
      const response = await instance(to, init);
      if (lot < 0.6) throw new TypeError("lost after the server");
      return response;
    };
    const use = [
      retry({ attempts: 50, backoffMs: 1, maxBackoffMs: 2000, jitter: 1 }),
    ];
    const shop = createShopClient({ baseUrl, fetch: lost, use });
    const skus = Array.from(
      { length: callCount },
      (_, i) => `lost ${name} ${i}`,
    );
    const ids = await Promise.all(
      skus.map(async (sku) => (await shop.order({ sku, count: 1 })).orderId),
    );
    expect(new Set(ids).size).toBe(callCount);
    const orders = await ordersOf(`lost ${name} `);
    expect([...orders].sort()).toEqual([...skus].sort());
  }, 120_000);

  test("runs one of many calls with the same key at the same time", async () => {
    const fetch = openInstance({ beginsOnJoin });
    const shop = createShopClient({ baseUrl, fetch });
    const request = { sku: `race ${name} 1`, count: 1 };
    const own = { idempotencyKey: `race ${name}` };
    const results = await Promise.all(
      Array.from({ length: 20 }, () => shop.order.result(request, own)),
    );
    const values = results.flatMap((each) =>
      each.ok ? [each.value.orderId] : [],
    );
    expect(new Set(values).size).toBe(1);
    for (const each of results) {
      if (!each.ok) expect(each.error).toMatchObject({ status: 409 });
    }
    expect(await ordersOf(`race ${name} `)).toEqual([`race ${name} 1`]);
  });

  test("undoes the changes of a call whose connection ends", async () => {
    let isFirst = true;
    const fetch = openInstance({
      beginsOnJoin,
      during: async (client) => {
        if (!isFirst) return;
        isFirst = false;
        const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
        await reader.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
        await client.query("SELECT 1").catch(() => undefined);
      },
    });
    const shop = createShopClient({ baseUrl, fetch });
    const request = { sku: `crash ${name} 1`, count: 1 };
    const own = { idempotencyKey: `crash ${name}` };
    await expect(shop.order(request, own)).rejects.toMatchObject({
      status: 500,
    });
    expect(await ordersOf(`crash ${name} `)).toEqual([]);
    const { orderId } = await shop.order(request, own);
    expect((await shop.order(request, own)).orderId).toBe(orderId);
    expect(await ordersOf(`crash ${name} `)).toEqual([`crash ${name} 1`]);
  });

  test("keeps a declared error, and undoes the changes before it", async () => {
    let runs = 0;
    const fetch = openInstance({
      beginsOnJoin,
      during: () => {
        runs += 1;
        throw new SoldOutError();
      },
    });
    const shop = createShopClient({ baseUrl, fetch });
    const own = { idempotencyKey: `error ${name}` };
    for (let i = 0; i < 2; i += 1) {
      const call = shop.order({ sku: `error ${name} 1`, count: 1 }, own);
      await expect(call).rejects.toBeInstanceOf(SoldOutError);
    }
    expect(runs).toBe(1);
    expect(await ordersOf(`error ${name} `)).toEqual([]);
  });

  test("keeps the error of a call that fails before it joins", async () => {
    let runs = 0;
    const fetch = openInstance({
      beginsOnJoin,
      before: () => {
        runs += 1;
        throw new SoldOutError();
      },
    });
    const shop = createShopClient({ baseUrl, fetch });
    const own = { idempotencyKey: `early ${name}` };
    for (let i = 0; i < 2; i += 1) {
      const call = shop.order({ sku: "early", count: 1 }, own);
      await expect(call).rejects.toBeInstanceOf(SoldOutError);
    }
    expect(runs).toBe(1);
  });
});

test("lets one of two calls join, without a connection until then", async () => {
  let waiting = 0;
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const fetch = openInstance({
    beginsOnJoin: true,
    before: () => {
      waiting += 1;
      return gate;
    },
  });
  const shop = createShopClient({ baseUrl, fetch });
  const own = { idempotencyKey: "both" };
  const calls = [];
  // The pool has fewer connections.
  for (let count = 1; count <= 12; count += 1) {
    calls.push(shop.order.result({ sku: "both 1", count: 1 }, own));
    await expect.poll(() => waiting).toBe(count);
  }
  go();
  const results = await Promise.all(calls);
  const values = results.flatMap((each) => (each.ok ? [each.value] : []));
  expect(values.length).toBeGreaterThan(0);
  expect(new Set(values.map(({ orderId }) => orderId)).size).toBe(1);
  for (const each of results) {
    if (!each.ok) expect(each.error).toMatchObject({ status: 409 });
  }
  expect(await ordersOf("both ")).toEqual(["both 1"]);
});

test("replaces and removes expired answers", async () => {
  const shop = createShopClient({ baseUrl, fetch: openInstance() });
  const own = { idempotencyKey: "expired" };
  await shop.order({ sku: "expired 1", count: 1 }, own);
  await reader.query("UPDATE idempotent_answers SET expires_at = now()");
  const { rows } = await reader.query(
    "SELECT count(*) FROM idempotent_answers",
  );
  // The request differs, but its key has expired.
  await shop.order({ sku: "expired 2", count: 1 }, own);
  const after = await reader.query("SELECT count(*) FROM idempotent_answers");
  expect(await ordersOf("expired ")).toHaveLength(2);
  const before = Number(rows[0].count);
  expect(Number(after.rows[0].count)).toBe(Math.max(1, before - 2));
});

test("runs no call whose former ID has an answer or is running", async () => {
  const pool = openPool(6);
  onTestFinished(() => pool.end());
  const store = postgresAnswers(pgConnection(pool));
  const context: RequestFacts = Object.assign(Object.create(null), {
    get: () => undefined,
    remainingMs: () => 10_000,
    set: () => undefined,
  });
  let runs = 0;
  const once = (id: string, formerIds: readonly string[], during?: unknown) =>
    store.once(
      { id, formerIds, keepMs: 60_000, timeoutMs: 1000, context },
      async () => {
        runs += 1;
        await during;
        return { text: id, isError: false };
      },
    );
  expect(await once("old", [])).toEqual({ kind: "ran" });
  expect(await once("new", ["x", "old"])).toEqual({
    kind: "stored",
    text: "old",
    id: "old",
  });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const running = once("old-2", [], ended);
  await expect.poll(() => runs).toBe(2);
  expect(await once("new-2", ["old-2"])).toEqual({ kind: "running" });
  // Different callers can share a former ID.
  const one = once("new-3", ["shared"], ended);
  await expect.poll(() => runs).toBe(3);
  expect(await once("new-4", ["shared"])).toEqual({ kind: "ran" });
  expect(await once("shared", [])).toEqual({ kind: "running" });
  end();
  expect(await Promise.all([running, one])).toEqual([
    { kind: "ran" },
    { kind: "ran" },
  ]);
});
