import { setTimeout as sleep } from "node:timers/promises";

import { sql } from "kysely";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

import { openNotifications } from "../../database/notifications.js";
import { openDatabase } from "../../database/pool.js";
import { listDeadJobs, replayDeadJobs } from "../../queue/dead-jobs.js";
import { enqueue, jobsChannel } from "../../queue/enqueue.js";
import type { Job } from "../../queue/leases.js";
import { type Outcome, startWorker } from "../../queue/worker.js";
import { migrate } from "../../database/migrate.js";
import { createDatabase, silent } from "../support/test-database.js";

const url = await createDatabase();

function open() {
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  return database;
}

await migrate(open());

const done: Outcome = { kind: "done" };

/** A queue that no other test has, and workers for it. */
function createQueue() {
  const database = open();
  const queue = crypto.randomUUID();
  const work = (
    handle: (job: Job, signal: AbortSignal) => Promise<Outcome>,
    options: Partial<Parameters<typeof startWorker>[0]> = {},
  ) => {
    const worker = startWorker({
      ...{ database, log: silent, queue, concurrency: 4, leaseMs: 10_000 },
      ...{ pollMs: 20, handle },
      ...options,
    });
    onTestFinished(() => worker.stop());
    return worker;
  };
  const add = (...keys: string[]) =>
    enqueue(
      database,
      queue,
      keys.map((key) => ({ key, payload: { key } })),
    );
  const count = async (): Promise<number> => {
    const rows = await database
      .selectFrom("jobs")
      .select("id")
      .where("queue", "=", queue)
      .execute();
    return rows.length;
  };
  return { database, queue, work, add, count };
}

test("two workers on one database do each job once", async () => {
  const { add, count, work } = createQueue();
  const keys = Array.from({ length: 200 }, (_, index) => String(index));
  const handled: string[] = [];
  const handle = async ({ key, payload }: Job): Promise<Outcome> => {
    expect(payload).toEqual({ key });
    await sleep(Number(key) % 3);
    handled.push(key);
    return done;
  };
  work(handle);
  work(handle, { database: open() });
  expect(await add(...keys)).toBe(200);
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
  expect(handled.sort()).toEqual(keys.sort());
});

test("a key is in the queue once, until it is done", async () => {
  const { add, count, work } = createQueue();
  expect(await add("a", "b")).toBe(2);
  expect(await add("a", "c")).toBe(1);
  const handled: string[] = [];
  work(({ key }) => {
    handled.push(key);
    return Promise.resolve(done);
  });
  await expect.poll(count).toBe(0);
  expect(handled.sort()).toEqual(["a", "b", "c"]);
  expect(await add("a")).toBe(1);
});

test("jobs come and go with the transaction that enqueues them", async () => {
  const { count, database, queue } = createQueue();
  const jobs = [{ key: "a", payload: "text with \u0000" }];
  const undone = database.transaction().execute(async (transaction) => {
    await enqueue(transaction, queue, jobs);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await count()).toBe(0);
  await database
    .transaction()
    .execute((transaction) => enqueue(transaction, queue, jobs));
  expect(await count()).toBe(1);
});

test("a job whose worker has died is taken over when its lease ends", async () => {
  const { add, count, database, queue, work } = createQueue();
  await add("a");
  // What a killed worker leaves behind.
  await sql`
    update jobs set lease = gen_random_uuid(), attempts = 1,
      run_at = now() + interval '300 milliseconds'
    where queue = ${queue}`.execute(database);
  const start = performance.now();
  const attempts: number[] = [];
  work((job) => {
    attempts.push(job.attempts);
    return Promise.resolve(done);
  });
  await expect.poll(count).toBe(0);
  expect(performance.now() - start).toBeGreaterThan(250);
  expect(attempts).toEqual([2]);
});

test("a long job stays the worker's", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  const handle = vi.fn(async () => {
    await sleep(500);
    return done;
  });
  work(handle, { leaseMs: 150 });
  work(handle, { leaseMs: 150 });
  await expect.poll(count, { timeout: 5000 }).toBe(0);
  expect(handle).toHaveBeenCalledTimes(1);
});

test("a job that another has taken is told so, and stays the other's", async () => {
  const { add, count, database, queue, work } = createQueue();
  await add("a");
  let isTold = false;
  const worker = work(
    async (_, signal) => {
      await sql`update jobs set lease = gen_random_uuid()
        where queue = ${queue}`.execute(database);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isTold = true;
      return done;
    },
    { leaseMs: 150 },
  );
  await expect.poll(() => isTold).toBe(true);
  await worker.stop();
  expect(await count()).toBe(1);
});

test("a job is tried again at the time that its worker says", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  const times: number[] = [];
  work(({ attempts }) => {
    times.push(performance.now());
    const at = new Date(Date.now() + 200);
    return Promise.resolve(
      attempts < 3 ? { kind: "retry", at, reason: "not yet" } : done,
    );
  });
  await expect.poll(count, { timeout: 5000 }).toBe(0);
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThan(150);
  expect(third - second).toBeGreaterThan(150);
});

test("a handler that rejects is tried again", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  work(({ attempts }) =>
    attempts === 1 ? Promise.reject(new Error("no")) : Promise.resolve(done),
  );
  await expect.poll(count, { timeout: 5000 }).toBe(0);
});

test("a job that is given up waits to be replayed", async () => {
  const { add, count, database, queue, work } = createQueue();
  await add("a", "b");
  let isBroken = true;
  work(({ key }) => {
    const isDead = isBroken && key === "a";
    return Promise.resolve(
      isDead ? { kind: "dead", reason: "gone for good" } : done,
    );
  });
  await expect
    .poll(() => listDeadJobs(database, queue, 10))
    .toMatchObject([
      { key: "a", payload: { key: "a" }, attempts: 1, reason: "gone for good" },
    ]);
  await expect.poll(count).toBe(1);
  // Enqueued again, it stays dead.
  expect(await add("a")).toBe(0);
  isBroken = false;
  expect(await replayDeadJobs(database, queue, "b")).toBe(0);
  expect(await replayDeadJobs(database, queue, null)).toBe(1);
  await expect.poll(count).toBe(0);
});

test("jobs of a sequence run one after the other, also when one must wait", async () => {
  const { count, database, queue, work } = createQueue();
  const handled: string[] = [];
  const jobs = ["a1", "a2", "b1", "a3"].map((key) => ({
    ...{ key, payload: null },
    sequence: key.slice(0, 1),
  }));
  await enqueue(database, queue, jobs);
  work(({ key, attempts }) => {
    if (key === "a1" && attempts === 1) {
      const at = new Date(Date.now() + 200);
      return Promise.resolve({ kind: "retry", at, reason: "" });
    }
    handled.push(key);
    return Promise.resolve(done);
  });
  await expect.poll(count, { timeout: 5000 }).toBe(0);
  expect(handled).toEqual(["b1", "a1", "a2", "a3"]);
});

test("a worker is woken by what other processes enqueue", async () => {
  const { add, count, work } = createQueue();
  const notifications = openNotifications(url, jobsChannel, silent);
  onTestFinished(() => notifications.stop());
  const isListening = new Promise<void>((resolve) => {
    notifications.listen(() => resolve());
  });
  work(() => Promise.resolve(done), { notifications, pollMs: 60_000 });
  await isListening;
  const start = performance.now();
  await add("a");
  await expect.poll(count, { interval: 5 }).toBe(0);
  expect(performance.now() - start).toBeLessThan(1000);
});

test("a lost database ends neither the worker nor a job", async () => {
  const { add, count, database, queue, work } = createQueue();
  const notifications = openNotifications(url, jobsChannel, silent);
  onTestFinished(() => notifications.stop());
  const cut = (): Promise<unknown> =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
      .execute(database)
      .catch(() => undefined);
  let handled = 0;
  work(
    async () => {
      // The outcome is told with connections that are lost.
      await cut();
      handled += 1;
      return done;
    },
    { notifications, concurrency: 1 },
  );
  await add("a", "b", "c");
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
  await cut();
  await enqueueAgain();
  await expect.poll(() => handled, { timeout: 10_000 }).toBe(4);
  await expect.poll(count).toBe(0);

  async function enqueueAgain(): Promise<void> {
    await vi.waitFor(() =>
      enqueue(database, queue, [{ key: "d", payload: null }]),
    );
  }
});

test("a worker that is stopped finishes what it has begun", async () => {
  const { add, count, work } = createQueue();
  await add("a", "b");
  let begun = 0;
  const worker = work(
    async () => {
      begun += 1;
      await sleep(200);
      return done;
    },
    { concurrency: 1 },
  );
  await expect.poll(() => begun).toBe(1);
  await worker.stop();
  expect(await count()).toBe(1);
  expect(begun).toBe(1);
});

test("what takes too long at the end is given back", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  let begun = 0;
  const worker = work(
    async (_, signal) => {
      begun += 1;
      await sleep(60_000, undefined, { signal });
      return done;
    },
    { graceMs: 100 },
  );
  await expect.poll(() => begun).toBe(1);
  await worker.stop();
  work(() => Promise.resolve(done));
  await expect.poll(count).toBe(0);
});
