import pg from "pg";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";

import type { RequestContext } from "../../../runtime/typescript/server/server.js";
import {
  answersTable,
  idempotency,
  pgConnection,
  type PgConnectionOptions,
  postgresAnswers,
  type PostgresAnswers,
  type PostgresAnswersOptions,
} from "../../../runtime/typescript/server/idempotency.js";
import { SoldOutError } from "../../../test/golden/fixtures/idempotency-keys/expected/index.js";
import { createShopServer } from "../../../test/golden/fixtures/idempotency-keys/expected/server.js";
import { createRandom } from "../crash/random.js";
import { createMigratedDatabase } from "../support/test-database.js";

let url = "";
let reader: pg.Pool;

beforeAll(async () => {
  url = await createMigratedDatabase();
  reader = new pg.Pool({ connectionString: url, max: 1 });
  await reader.query("DROP TABLE idempotent_answers");
  await reader.query(answersTable);
  await reader.query("CREATE TABLE transfers (sku text, id serial)");
});

afterAll(() => reader.end());

/** What a handler of the tests gets. */
interface Parts {
  readonly answers: PostgresAnswers<pg.PoolClient>;
  readonly context: RequestContext;
  readonly pool: pg.Pool;
  readonly sku: string;
}

interface ShopOptions extends PgConnectionOptions, PostgresAnswersOptions {
  readonly max?: number;
  readonly timeoutMs?: number;
  readonly order: (parts: Parts) => Promise<string>;
}

function transfer(client: pg.PoolClient, sku: string): Promise<unknown> {
  return client.query("INSERT INTO transfers (sku) VALUES ($1)", [sku]);
}

async function countTransfers(sku: string): Promise<number> {
  const statement = "SELECT count(*)::int4 FROM transfers WHERE sku = $1";
  return (await reader.query(statement, [sku])).rows[0].count;
}

/** Opens a server whose pool has no listeners but those of the runtime. */
function openShop({
  beginsOnJoin = false,
  graceMs = 100,
  max = 4,
  order,
  timeoutMs = 60_000,
  ...options
}: ShopOptions) {
  const pool = new pg.Pool({ connectionString: url, max });
  onTestFinished(() => pool.end());
  const stray: string[] = [];
  watchStatements(pool, stray);
  const connection = pgConnection(pool, options);
  const answers = postgresAnswers(connection, { beginsOnJoin, graceMs });
  const errors: unknown[] = [];
  const server = createShopServer({
    idempotency: idempotency(answers),
    onError: (error) => void errors.push(error),
    timeoutMs,
    handlers: {
      shop: {
        order: async ({ sku }, context) => ({
          orderId: await order({ answers, context, pool, sku }),
        }),
        addNote: async ({ orderId }, context) => {
          await order({ answers, context, pool, sku: orderId });
          return { noteId: 1 };
        },
        setNote: () => ({}),
        countOrders: () => ({ count: 1 }),
      },
    },
  });
  const post = (
    path: string,
    key: string | null,
    body: object,
    own: object = {},
  ) => {
    const headers = {
      ...own,
      "content-type": "application/json",
      ...(key !== null && { "idempotency-key": `"${key}"` }),
    };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    return server.fetch(new Request(`http://shop.test${path}`, sent));
  };
  const send = (sku: string, headers?: object) =>
    post("/rpc/Shop/Order", sku, { sku, count: 1 }, headers);
  const sendWithoutKey = (sku: string) =>
    post(`/orders/${sku}/notes`, null, { text: "x" });
  const isIdle = () =>
    pool.waitingCount === 0 && pool.idleCount === pool.totalCount;
  return { errors, isIdle, pool, send, sendWithoutKey, stray };
}

/** Records statements on clients that are in the pool. */
function watchStatements(pool: pg.Pool, stray: string[]): void {
  const borrowed = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => borrowed.add(client));
  pool.on("release", (_, client) => borrowed.delete(client));
  pool.on("connect", (client) => {
    const { query } = client;
    const watched = (...args: unknown[]): unknown => {
      if (!borrowed.has(client)) stray.push(String(args[0]));
      return Reflect.apply(query, client, args);
    };
    Object.assign(client, { query: watched });
  });
}

/** Returns a promise also for a function that throws. */
async function attempt(run: () => unknown): Promise<void> {
  await run();
}

function openGate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open: () => open() };
}

async function endBackend(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  await reader.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
}

describe.each([
  ["before the handler", false],
  ["when the handler joins", true],
])("a transaction that begins %s", (name, beginsOnJoin) => {
  test("survives the end of its connection while the handler waits", async () => {
    let isFirst = true;
    const sku = `ended ${name}`;
    const shop = openShop({
      beginsOnJoin,
      order: ({ answers, context, sku }) =>
        answers.join(context, async (client) => {
          await transfer(client, sku);
          if (isFirst) {
            isFirst = false;
            const lost = new Promise<void>((resolve) => {
              client.on("end", () => resolve());
            });
            await endBackend(client);
            await lost;
          }
          return "1";
        }),
    });
    expect((await shop.send(sku)).status).toBe(500);
    expect(await countTransfers(sku)).toBe(0);
    expect((await shop.send(sku)).status).toBe(200);
    expect(await countTransfers(sku)).toBe(1);
    expect(shop.isIdle()).toBe(true);
  });

  test("undoes a join whose handler has failed meanwhile", async () => {
    const sku = `all ${name}`;
    const gate = openGate();
    const shop = openShop({
      beginsOnJoin,
      order: async ({ answers, context, sku }) => {
        const check = async (): Promise<never> => {
          await gate.promise;
          throw new SoldOutError();
        };
        const move = answers.join(context, async (client) => {
          gate.open();
          // Some of them run after the handler, and none after the rollback.
          for (let i = 0; i < 30; i += 1) await transfer(client, sku);
          return "1";
        });
        return (await Promise.all([move, check()]))[0];
      },
    });
    for (let i = 0; i < 2; i += 1) {
      expect((await shop.send(sku)).status).toBe(409);
      expect(await countTransfers(sku)).toBe(0);
    }
    expect([shop.stray, shop.isIdle()]).toEqual([[], true]);
  });

  test("refuses the success of a handler that has not waited", async () => {
    const sku = `race ${name}`;
    let isFirst = true;
    const shop = openShop({
      beginsOnJoin,
      order: ({ answers, context, sku }) => {
        const gate = openGate();
        const move = answers.join(context, async (client) => {
          await transfer(client, sku);
          gate.open();
          await client.query("SELECT pg_sleep(0.02)");
          return "moved";
        });
        if (!isFirst) return move;
        isFirst = false;
        return Promise.race([move, gate.promise.then(() => "unknown")]);
      },
    });
    expect((await shop.send(sku)).status).toBe(500);
    expect(await countTransfers(sku)).toBe(0);
    expect((await shop.send(sku)).status).toBe(200);
    expect(await countTransfers(sku)).toBe(1);
    expect(shop.stray).toEqual([]);
  });

  test("refuses the success of a handler that has caught an error", async () => {
    const sku = `caught ${name}`;
    const shop = openShop({
      beginsOnJoin,
      order: async ({ answers, context, sku }) => {
        const move = answers.join(context, async (client) => {
          await transfer(client, sku);
          throw new Error("too late");
        });
        await move.catch(() => undefined);
        return "moved";
      },
    });
    expect((await shop.send(sku)).status).toBe(500);
    expect(await countTransfers(sku)).toBe(0);
  });

  test("refuses joins and statements after the handler", async () => {
    const sku = `late ${name}`;
    const refused: string[] = [];
    const gate = openGate();
    const note = (error: Error): void => void refused.push(error.message);
    const shop = openShop({
      beginsOnJoin,
      order: async ({ answers, context, sku }) => {
        const client = await answers.join(context, async (client) => client);
        const later = async (): Promise<void> => {
          await gate.promise;
          await answers
            .join(context, (client) => transfer(client, sku))
            .catch(note);
          await attempt(() => transfer(client, sku)).catch(note);
          await attempt(() => client.release()).catch(note);
        };
        void later();
        return "1";
      },
    });
    expect((await shop.send(sku)).status).toBe(200);
    gate.open();
    await expect.poll(() => refused.length).toBe(3);
    expect(refused[0]).toContain("cannot be joined");
    expect(refused[1]).toContain("has ended");
    expect(await countTransfers(sku)).toBe(0);
    expect(shop.stray).toEqual([]);
  });

  test("ends some time after the deadline of a handler that hangs", async () => {
    const gate = openGate();
    let hangs = true;
    const shop = openShop({
      beginsOnJoin,
      timeoutMs: 200,
      order: ({ answers, context, sku }) =>
        answers.join(context, async (client) => {
          await transfer(client, sku);
          if (hangs) await gate.promise;
          return "1";
        }),
    });
    const skus = Array.from({ length: 6 }, (_, i) => `hangs ${name} ${i}`);
    const statuses = await Promise.all(
      skus.map(async (sku) => (await shop.send(sku)).status),
    );
    expect(statuses.every((status) => status === 504)).toBe(true);
    await expect.poll(shop.isIdle).toBe(true);
    hangs = false;
    for (const sku of skus) {
      await expect.poll(async () => (await shop.send(sku)).status).toBe(200);
    }
    gate.open();
    for (const sku of skus) expect(await countTransfers(sku)).toBe(1);
    expect(shop.stray).toEqual([]);
  });
});

test("keeps a key in use after the client's own deadline", async () => {
  const gate = openGate();
  let runs = 0;
  const shop = openShop({
    graceMs: 0,
    order: async () => {
      runs += 1;
      await gate.promise;
      return `run ${runs}`;
    },
  });
  const hurried = { "request-timeout-ms": "1000" };
  expect((await shop.send("hurried", hurried)).status).toBe(504);
  await expect.poll(() => runs).toBe(1);
  expect((await shop.send("hurried")).status).toBe(409);
  gate.open();
  await expect.poll(async () => (await shop.send("hurried")).status).toBe(200);
  expect(runs).toBe(1);
});

test("ends a hanging handler of a call without a key", async () => {
  const gate = openGate();
  const shop = openShop({
    timeoutMs: 200,
    order: ({ answers, context, sku }) =>
      answers.join(context, async (client) => {
        await transfer(client, sku);
        await gate.promise;
        await transfer(client, sku);
        return "1";
      }),
  });
  expect((await shop.sendWithoutKey("no key")).status).toBe(504);
  await expect.poll(shop.isIdle).toBe(true);
  gate.open();
  expect(await countTransfers("no key")).toBe(0);
  expect(shop.stray).toEqual([]);
});

test("leaves a connection to handlers that use the same pool of two", async () => {
  const shop = openShop({
    max: 2,
    order: async ({ answers, context, pool, sku }) => {
      await pool.query("SELECT pg_sleep(0.01)");
      await answers.join(context, (client) => transfer(client, sku));
      return "1";
    },
  });
  const skus = Array.from({ length: 10 }, (_, i) => `two ${i}`);
  const statuses = await Promise.all(
    skus.map(async (sku) => (await shop.send(sku)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(shop.isIdle()).toBe(true);
});

test("answers 503 if no connection becomes free in time", async () => {
  const gate = openGate();
  let running = 0;
  const shop = openShop({
    max: 2,
    queueMs: 20,
    order: async () => {
      running += 1;
      await gate.promise;
      return "1";
    },
  });
  // Opening a connection can take longer than the time in the queue.
  (await shop.pool.connect()).release();
  const first = shop.send("full 1");
  await expect.poll(() => running).toBe(1);
  const second = await shop.send("full 2");
  expect(second.status).toBe(503);
  expect(second.headers.get("retry-after")).not.toBeNull();
  // The rest of the pool is occupied by others.
  const others = [await shop.pool.connect()];
  gate.open();
  expect((await first).status).toBe(200);
  others.push(await shop.pool.connect());
  expect((await shop.send("full 3")).status).toBe(503);
  for (const each of others) each.release();
  await expect.poll(shop.isIdle).toBe(true);
  expect((await shop.send("full 3")).status).toBe(200);
});

test("rejects a join without a key in which a statement has failed", async () => {
  const shop = openShop({
    order: async ({ answers, context, sku }) => {
      await answers.join(context, async (client) => {
        await transfer(client, sku);
        await client.query("SELECT 1 / 0").catch(() => undefined);
      });
      return "1";
    },
  });
  expect((await shop.sendWithoutKey("divided")).status).toBe(500);
  expect(await countTransfers("divided")).toBe(0);
  expect(shop.isIdle()).toBe(true);
});

test("outlives connections that are ended while they are idle", async () => {
  const shop = openShop({
    order: ({ answers, context, sku }) =>
      answers.join(context, async (client) => {
        await transfer(client, sku);
        return "1";
      }),
  });
  for (let i = 0; i < 5; i += 1) {
    expect((await shop.send(`idle ${i}`)).status).toBe(200);
    await reader.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await expect.poll(() => shop.pool.totalCount).toBe(0);
  }
});

/** Ways in which handlers use and misuse their transaction. */
const behaviors: readonly ((parts: Parts, stop: Promise<void>) => unknown)[] = [
  ({ answers, context, sku }) =>
    answers.join(context, (client) => transfer(client, sku)),
  async ({ answers, context, sku }, stop) => {
    await answers.join(context, (client) => transfer(client, sku));
    await stop;
  },
  ({ answers, context, sku }, stop) =>
    answers.join(context, async (client) => {
      await transfer(client, sku);
      await stop;
      await transfer(client, sku);
    }),
  ({ answers, context, sku }) => {
    void answers
      .join(context, (client) => transfer(client, sku))
      .catch(() => undefined);
  },
  async ({ answers, context, sku }) => {
    await answers.join(context, (client) => transfer(client, sku));
    throw new Error("lost");
  },
  async ({ answers, context, sku }) => {
    const move = answers.join(context, async (client) => {
      await transfer(client, sku);
      await client.query("SELECT pg_sleep(0.005)");
    });
    await Promise.all([move, Promise.reject(new SoldOutError())]);
  },
  async ({ answers, context, sku }, stop) => {
    const client = await answers.join(context, async (client) => client);
    const late = async () => {
      await stop;
      await transfer(client, sku);
    };
    late().catch(() => undefined);
  },
  async ({ answers, context, pool, sku }) => {
    await pool.query("SELECT 1");
    await answers.join(context, (client) => transfer(client, sku));
    await pool.query("SELECT 1");
  },
  ({ answers, context, sku }) =>
    answers.join(context, async (client) => {
      await transfer(client, sku);
      await endBackend(client);
    }),
  () => undefined,
];

const seed = Number(process.env["RIDLKIT_SEED"] ?? 1);

test.each([false, true])(
  `leaves nothing open after random handlers (begins on join: %s, seed ${seed})`,
  async (beginsOnJoin) => {
    const random = createRandom(seed);
    const gate = openGate();
    const made = new Set<string>();
    const shop = openShop({
      beginsOnJoin,
      timeoutMs: 300,
      queueMs: 100,
      order: async (parts) => {
        const at = Number(parts.sku.split(" ").at(-1)) % behaviors.length;
        await behaviors[at]?.(parts, gate.promise);
        return "1";
      },
    });
    const skus = Array.from(
      { length: 60 },
      (_, i) => `random ${beginsOnJoin} ${i} ${Math.floor(random() * 1000)}`,
    );
    const send = async (sku: string): Promise<number> => {
      const { status } = await shop.send(sku);
      if (status === 200) made.add(sku);
      return status;
    };
    await Promise.all(skus.map(send));
    await expect.poll(shop.isIdle).toBe(true);
    gate.open();
    // More attempts, in which nothing hangs but a busy machine.
    for (const sku of skus) {
      for (let left = 5; left > 0; left -= 1)
        if (![409, 503, 504].includes(await send(sku))) break;
    }
    await expect.poll(shop.isIdle).toBe(true);
    expect(shop.stray).toEqual([]);
    // The database notices later that a connection was closed.
    const countOpen = async (): Promise<unknown> => {
      const { rows } = await reader.query(
        "SELECT count(*)::int4 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      );
      return rows[0].count;
    };
    await expect.poll(countOpen).toBe(0);
    for (const sku of skus) {
      const count = await countTransfers(sku);
      // Each call has moved its money with its answer, or not at all.
      expect([sku, count > 0 && !made.has(sku)]).toEqual([sku, false]);
    }
    expect(made.size).toBeGreaterThan(10);
  },
  60_000,
);
