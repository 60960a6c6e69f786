import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import {
  itemsTables,
  pgItems,
  type PgItemsOptions,
  type PgQueryable,
  postgresItems,
  type PostgresItemsOptions,
  streamLog,
  type StreamLog,
  type SubscribeOptions,
} from "../../../runtime/typescript/server/stream-log.js";
import { createDatabase } from "../support/test-database.js";

type Log = StreamLog<string, string, pg.PoolClient>;

let pool: pg.Pool;
let url = "";

beforeAll(async () => {
  url = await createDatabase();
  pool = new pg.Pool({ connectionString: url, max: 20 });
  await pool.query(itemsTables);
});

afterAll(() => pool.end());

/** Opens the log of one of several instances. */
function openLog(options: Partial<PostgresItemsOptions<pg.PoolClient>>): Log {
  return streamLog<string, string, pg.PoolClient>({
    store: postgresItems<pg.PoolClient>({
      onError: (error) => expect.unreachable(String(error)),
      query: async (text, parameters, client) =>
        (await (client ?? pool).query(text, [...parameters])).rows,
      ...options,
    }),
    place: (_, text) => text,
    gone: () => new Error("gone"),
    tailItems: 20,
  });
}

/** Listens to a channel until the test ends. */
async function listen(
  channel: string,
  notify: (payload: string | undefined) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  client.on("notification", ({ payload }) => notify(payload));
  await client.query(`LISTEN ${channel}`);
}

async function inTransaction<Result>(
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await run(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

/** Reads one item, and ends the subscription. */
async function first(
  log: Pick<Log, "subscribe">,
  topic: string,
  options: SubscribeOptions = {},
): Promise<string> {
  for await (const text of log.subscribe(topic, options)) return text;
  return expect.unreachable("the subscription ended");
}

async function take(log: Log, topic: string, count: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of log.subscribe(topic)) {
    texts.push(text);
    if (texts.length === count) break;
  }
  return texts;
}

test.each([
  ["polling", { pollMs: 5 }],
  ["notifications", { pollMs: 600_000, listen }],
])("instances find the items of others by %s", async (topic, options) => {
  const [one, two] = [openLog(options), openLog(options)];
  const reading = [one, two].map((log) => take(log, topic, 4));
  // The instances listen before the items are added.
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const text of ["a", "b"]) await one.publish(topic, text);
  for (const text of ["c", "d"]) await two.publish(topic, text);
  expect(await Promise.all(reading)).toEqual([
    ["a", "b", "c", "d"],
    ["a", "b", "c", "d"],
  ]);
});

test("items become visible in their order, whichever transaction ends first", async () => {
  const logs = [openLog({ pollMs: 1 }), openLog({ pollMs: 1 })];
  const [writers, each] = [12, 6];
  const total = writers * each;
  const reading = logs.map((log) => take(log, "race", total));
  const cursors: number[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let index = 0; index < each; index += 1) {
      const undone = index % 5 === 0;
      const work = (fails: boolean): Promise<number> =>
        inTransaction(async (client) => {
          const log = logs[writer % 2] ?? expect.unreachable();
          const text = `${writer} ${index}`;
          const cursor = await log.publish("race", text, client);
          await client.query("SELECT pg_sleep(random() * 0.003)");
          if (fails) throw new Error("undone");
          return cursor;
        });
      if (undone) await expect(work(true)).rejects.toThrow("undone");
      cursors.push(await work(false));
    }
  };
  await Promise.all(
    Array.from({ length: writers }, (_, index) => write(index)),
  );
  const [one = [], two = []] = await Promise.all(reading);
  expect(new Set(one).size).toBe(total);
  expect(two).toEqual(one);
  // An undone transaction leaves no gap.
  const sorted = [...cursors].sort((a, b) => a - b);
  expect(sorted.map((cursor) => cursor - (sorted[0] ?? 0))).toEqual(
    Array.from({ length: total }, (_, index) => index),
  );
});

test("a topic that PostgreSQL cannot store does not affect others", async () => {
  const log = openLog({ pollMs: 5 });
  const controller = new AbortController();
  const { signal } = controller;
  const topics = ["\ud800", "a\udc00", "a\0b"];
  const none = topics.map((topic) => log.subscribe(topic, { signal }).next());
  const reading = take(log, "beside", 2);
  for (const text of ["a", "b"]) {
    // The reader waits, so only a poll finds the item.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await log.publish("beside", text);
  }
  expect(await reading).toEqual(["a", "b"]);
  for (const topic of topics) {
    await expect(log.publish(topic, "x")).rejects.toThrow("topic: expected");
    const next = first(log, topic, { after: 1 });
    await expect(next).rejects.toThrow("gone");
  }
  controller.abort();
  for (const each of none) expect((await each).done).toBe(true);
});

/** Opens the log of an instance whose pool and client have no listeners. */
function openPgLog(name: string, options: Partial<PgItemsOptions> = {}) {
  const own = new pg.Pool({ connectionString: url, application_name: name });
  const errors: unknown[] = [];
  const store = pgItems(own, {
    pollMs: 600_000,
    onError: (error) => errors.push(error),
    newClient: () =>
      new pg.Client({ connectionString: url, application_name: name }),
    ...options,
  });
  onTestFinished(async () => {
    await store.close();
    await own.end();
  });
  const log = streamLog<string, string, PgQueryable>({
    store,
    place: (_, text) => text,
    gone: () => new Error("gone"),
  });
  return { errors, log, own, store };
}

/** Returns the processes that listen for an instance. */
async function listeners(name: string): Promise<number[]> {
  const statement =
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND query LIKE 'LISTEN%'";
  const { rows } = await pool.query<{ pid: number }>(statement, [name]);
  return rows.map(({ pid }) => pid);
}

test("a listener whose connection the database ends is replaced", async () => {
  const { errors, log, own, store } = openPgLog("ended");
  const reader = log.subscribe("ended");
  let before: number[] = [];
  for (const text of ["a", "b", "c"]) {
    const next = reader.next();
    await expect
      .poll(async () => {
        const now = await listeners("ended");
        return now.length === 1 && now[0] !== before[0];
      })
      .toBe(true);
    before = await listeners("ended");
    // The pool's idle connections end, too.
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended'",
    );
    // No notification of this item reaches the instance.
    await streamLog<string, string, pg.PoolClient>({
      store: postgresItems<pg.PoolClient>({
        onError: (error) => expect.unreachable(String(error)),
        query: async (statement, parameters) =>
          (await pool.query(statement, [...parameters])).rows,
      }),
      place: (_, item) => item,
      gone: () => new Error("gone"),
    }).publish("ended", text);
    expect((await next).value).toBe(text);
  }
  // A query of the pool may have been running, too.
  await expect.poll(() => errors.length).toBeGreaterThanOrEqual(3);
  await expect.poll(() => listeners("ended")).toHaveLength(1);
  await store.close();
  await reader.return();
  await expect.poll(() => listeners("ended")).toEqual([]);
  await expect.poll(() => own.totalCount === own.idleCount).toBe(true);
});

test("the items of a transaction reach listeners once it is committed", async () => {
  const { log } = openPgLog("committed");
  const next = first(log, "committed");
  await expect.poll(() => listeners("committed")).toHaveLength(1);
  await inTransaction((client) => log.publish("committed", "a", client));
  expect(await next).toBe("a");
});

test("a client that cannot listen is ended, and another one is tried", async () => {
  let ended = 0;
  let tries = 0;
  const { errors, log } = openPgLog("refused", {
    pollMs: 5,
    newClient: () => {
      tries += 1;
      const client = new pg.Client({
        connectionString: url,
        application_name: "refused",
      });
      if (tries > 2) return client;
      client.on("end", () => (ended += 1));
      const query = () => Promise.reject(new Error("refused"));
      return Object.assign(client, { query });
    },
  });
  const next = first(log, "refused");
  await expect.poll(() => listeners("refused")).toHaveLength(1);
  await expect.poll(() => ended).toBe(2);
  expect(errors.map(String)).toEqual(["Error: refused", "Error: refused"]);
  await log.publish("refused", "a");
  expect(await next).toBe("a");
});

test("items are not delayed until the next poll while the listener starts", async () => {
  const log = openLog({
    pollMs: 600_000,
    listen: async (channel, notify) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await listen(channel, notify);
    },
  });
  const next = first(log, "start");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await log.publish("start", "a");
  expect(await next).toBe("a");
});

test("any number of items can be kept", async () => {
  for (const items of [Infinity, 1.5]) {
    const log = openLog({ items });
    const topic = String(items);
    await inTransaction(async (client) => {
      for (let index = 0; index < 100; index += 1) {
        await log.publish(topic, "a", client);
      }
    });
    expect(await first(log, topic)).toBe("a");
  }
});

test("only the newest items are kept", async () => {
  const log = openLog({ items: 20 });
  const cursors: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    cursors.push(await log.publish("short", String(index)));
  }
  const { rows } = await pool.query(
    "SELECT 1 FROM stream_items WHERE topic = 'short'",
  );
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(rows.length).toBeLessThanOrEqual(22);
  const next = (after: number | undefined): Promise<string> =>
    first(log, "short", { after });
  await expect(next(cursors[50])).rejects.toThrow("gone");
  await expect(next((cursors.at(-1) ?? 0) + 1)).rejects.toThrow("gone");
  expect(await next(cursors[98])).toBe("99");
});

test("the newest item is kept, however old it is", async () => {
  const log = openLog({ items: 10, ms: 1 });
  for (let index = 0; index < 20; index += 1) {
    await log.publish("old", String(index));
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const { rows } = await pool.query<{ item: string }>(
    "SELECT item FROM stream_items WHERE topic = 'old' ORDER BY position",
  );
  expect(rows.at(-1)?.item).toBe('"19"');
  expect(rows.length).toBeLessThanOrEqual(2);
});

test("items that have expired are not sent, although no item follows", async () => {
  const log = openLog({ ms: 3_600_000 });
  const cursors: number[] = [];
  for (const text of ["a", "b", "c"]) {
    cursors.push(await log.publish("expired", text));
  }
  const age = (text: string): Promise<unknown> =>
    pool.query(
      "UPDATE stream_items SET added_at = now() - interval '2 h' WHERE topic = 'expired' AND item = $1",
      [JSON.stringify(text)],
    );
  await age("a");
  expect(await first(log, "expired")).toBe("b");
  for (const text of ["b", "c"]) await age(text);
  expect(await first(log, "expired")).toBe("c");
  await expect(first(log, "expired", { after: cursors[0] })).rejects.toThrow(
    "gone",
  );
  expect(await first(log, "expired", { after: cursors[1] })).toBe("c");
});
