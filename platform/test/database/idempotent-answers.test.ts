import pg from "pg";
import { beforeAll, afterAll, expect, test } from "vitest";

import { retry } from "../../../runtime/client/interceptors.js";
import type { Fetch } from "../../../runtime/client/client.js";
import {
  answersTable,
  idempotency,
  postgresAnswers,
} from "../../../runtime/server/idempotency.js";
import {
  createShopClient,
  SoldOutError,
} from "../../../test/golden/fixtures/idempotency-keys/expected/index.js";
import { createShopServer } from "../../../test/golden/fixtures/idempotency-keys/expected/server.js";
import { createMigratedDatabase } from "../support/test-database.js";

const callCount = 60;
const pools: pg.Pool[] = [];
let url = "";

beforeAll(async () => {
  url = await createMigratedDatabase();
  const pool = openPool();
  await pool.query(answersTable);
  await pool.query("CREATE TABLE shop_orders (sku text, id serial)");
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
});

function openPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // Connections that a test ends are no failure.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pools.push(pool);
  return pool;
}

/** Opens one of several instances of a server on the same database. */
function openInstance(
  during: (client: pg.PoolClient, sku: string) => unknown = () => undefined,
) {
  const pool = openPool();
  const answers = postgresAnswers<pg.PoolClient>({
    transaction: async (run) => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        await run(client);
        await client.query("COMMIT");
        client.release();
      } catch (error) {
        await client.query("ROLLBACK").catch(() => undefined);
        client.release(true);
        throw error;
      }
    },
    query: async (client, text, parameters) =>
      (await client.query(text, [...parameters])).rows,
  });
  const server = createShopServer({
    idempotency: idempotency(answers),
    onError: () => undefined,
    handlers: {
      shop: {
        order: async ({ sku }, context) => {
          const client = context.get(answers.transaction);
          if (client === undefined) throw new Error("no transaction");
          const statement =
            "INSERT INTO shop_orders (sku) VALUES ($1) RETURNING id";
          const { rows } = await client.query(statement, [sku]);
          await during(client, sku);
          return { orderId: String(rows[0].id) };
        },
        addNote: () => ({ noteId: 1 }),
        countOrders: () => ({ count: 1 }),
      },
    },
  });
  const fetch: Fetch = (to, init) => server.fetch(new Request(to, init));
  return fetch;
}

async function ordersOf(prefix: string): Promise<readonly string[]> {
  const { rows } = await openPool().query(
    "SELECT sku FROM shop_orders WHERE sku LIKE $1",
    [`${prefix}%`],
  );
  return rows.map(({ sku }) => sku);
}

const baseUrl = "http://shop.test";

test("runs each call once on two instances with lost connections", async () => {
  const instances = [openInstance(), openInstance()];
  const lost: Fetch = async (to, init) => {
    const [instance = openInstance()] = instances.splice(
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
  const skus = Array.from({ length: callCount }, (_, i) => `lost ${i}`);
  const ids = await Promise.all(
    skus.map(async (sku) => (await shop.order({ sku, count: 1 })).orderId),
  );
  expect(new Set(ids).size).toBe(callCount);
  const orders = await ordersOf("lost ");
  expect([...orders].sort()).toEqual([...skus].sort());
}, 120_000);

test("runs one of many calls with the same key at the same time", async () => {
  const fetch = openInstance();
  const shop = createShopClient({ baseUrl, fetch });
  const request = { sku: "race 1", count: 1 };
  const own = { idempotencyKey: "race" };
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
  expect(await ordersOf("race ")).toEqual(["race 1"]);
});

test("undoes the changes of a call whose connection ends", async () => {
  let isFirst = true;
  const fetch = openInstance(async (client) => {
    if (!isFirst) return;
    isFirst = false;
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    await openPool().query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
    await client.query("SELECT 1").catch(() => undefined);
  });
  const shop = createShopClient({ baseUrl, fetch });
  const request = { sku: "crash 1", count: 1 };
  const own = { idempotencyKey: "crash" };
  await expect(shop.order(request, own)).rejects.toMatchObject({ status: 500 });
  expect(await ordersOf("crash ")).toEqual([]);
  const { orderId } = await shop.order(request, own);
  expect((await shop.order(request, own)).orderId).toBe(orderId);
  expect(await ordersOf("crash ")).toEqual(["crash 1"]);
});

test("keeps a declared error, and undoes the changes before it", async () => {
  let runs = 0;
  const fetch = openInstance(() => {
    runs += 1;
    throw new SoldOutError();
  });
  const shop = createShopClient({ baseUrl, fetch });
  const own = { idempotencyKey: "error" };
  for (let i = 0; i < 2; i += 1) {
    const call = shop.order({ sku: "error 1", count: 1 }, own);
    await expect(call).rejects.toBeInstanceOf(SoldOutError);
  }
  expect(runs).toBe(1);
  expect(await ordersOf("error ")).toEqual([]);
});

test("replaces and removes expired answers", async () => {
  const pool = openPool();
  const shop = createShopClient({ baseUrl, fetch: openInstance() });
  const own = { idempotencyKey: "expired" };
  await shop.order({ sku: "expired 1", count: 1 }, own);
  await pool.query("UPDATE idempotent_answers SET expires_at = now()");
  const { rows } = await pool.query("SELECT count(*) FROM idempotent_answers");
  // The request differs, but its key has expired.
  await shop.order({ sku: "expired 2", count: 1 }, own);
  const after = await pool.query("SELECT count(*) FROM idempotent_answers");
  expect(await ordersOf("expired ")).toHaveLength(2);
  const before = Number(rows[0].count);
  expect(Number(after.rows[0].count)).toBe(Math.max(1, before - 2));
});
