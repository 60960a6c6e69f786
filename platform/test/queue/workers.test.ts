import { setTimeout as sleep } from "node:timers/promises";

import { sql } from "kysely";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import { openNotifications } from "../../database/notifications.js";
import { enqueue, jobsChannel } from "../../queue/enqueue.js";
import { silent } from "../support/test-database.js";
import { done, openQueues } from "./create-queue.js";

const { createQueue, url } = await openQueues();

test("another worker takes over a job when a dead worker's lease ends", async () => {
  const { add, count, database, queue, work } = createQueue();
  await add("a");
  const start = performance.now();
  // Simulate the state after a worker has been killed.
  await sql`
    update jobs set lease = gen_random_uuid(), attempts = 1,
      run_at = now() + interval '300 milliseconds'
    where queue = ${queue}`.execute(database);
  const attempts: number[] = [];
  work((job) => {
    attempts.push(job.attempts);
    return Promise.resolve(done);
  });
  await expect.poll(count).toBe(0);
  expect(performance.now() - start).toBeGreaterThan(250);
  expect(attempts).toEqual([2]);
});

test("a job that a worker returns at shutdown does not count as an attempt", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  const attempts: number[] = [];
  for (let deploys = 1; deploys <= 3; deploys += 1) {
    const worker = work(
      (job, signal) => {
        attempts.push(job.attempts);
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("ends")));
        });
      },
      { graceMs: 10 },
    );
    await expect.poll(() => attempts).toHaveLength(deploys);
    await worker.stop();
  }
  expect(attempts).toEqual([1, 1, 1]);
  expect(await count()).toBe(1);
});

test("reports a job that fails for the last time", async () => {
  const { add, database, queue, work } = createQueue();
  await add("a");
  await sql`update jobs set attempts = 19 where queue = ${queue}`.execute(
    database,
  );
  const dead: string[] = [];
  work(() => Promise.reject(new Error("fails")), {
    onDead: ({ key }) => Promise.resolve(void dead.push(key)),
  });
  await expect.poll(() => dead).toEqual(["a"]);
});

test("renews the lease of a long job", async () => {
  const { add, count, database, queue, work } = createQueue();
  await add("a");
  let finish = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (finish = resolve));
  const handle = vi.fn(() => isOver.then(() => done));
  // A lease that is longer than the machine may stand still.
  work(handle, { leaseMs: 6000 });
  work(handle, { leaseMs: 6000 });
  const ends = new Set<number>();
  const countRenewals = async (): Promise<number> => {
    const { run_at } = await database
      .selectFrom("jobs")
      .select("run_at")
      .where("queue", "=", queue)
      .executeTakeFirstOrThrow();
    if (handle.mock.calls.length > 0) ends.add(run_at.getTime());
    return ends.size - 1;
  };
  await expect.poll(countRenewals).toBe(1);
  finish();
  await expect.poll(count).toBe(0);
  expect(handle).toHaveBeenCalledTimes(1);
});

test("notifies a worker that another worker has taken its job", async () => {
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

test("a database notification about a new job wakes a worker", async () => {
  const { add, count, work } = createQueue();
  const notifications = openNotifications(url, jobsChannel, silent);
  onTestFinished(() => notifications.stop());
  const isListening = new Promise<void>((resolve) => {
    notifications.listen(() => resolve());
  });
  work(() => Promise.resolve(done), { notifications, pollMs: 60_000 });
  await isListening;
  await add("a");
  await expect.poll(count).toBe(0);
});

test("a lost database connection ends neither the worker nor a job", async () => {
  const { add, count, database, queue, work } = createQueue();
  const notifications = openNotifications(url, jobsChannel, silent);
  onTestFinished(() => notifications.stop());
  const cut = (): Promise<unknown> =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
      .execute(database)
      .catch(() => undefined);
  let handled = 0;
  // Enqueue the jobs before the worker starts, because its handler closes all
  // other connections.
  await add("a", "b", "c");
  work(
    async () => {
      // Close the connections over which the outcome would be reported.
      await cut();
      handled += 1;
      return done;
    },
    { notifications, concurrency: 1 },
  );
  await expect.poll(count).toBe(0);
  await cut();
  await enqueueAgain();
  await expect.poll(() => handled).toBe(4);
  await expect.poll(count).toBe(0);

  async function enqueueAgain(): Promise<void> {
    await vi.waitFor(
      () => enqueue(database, queue, [{ key: "d", payload: null }]),
      { timeout: 10_000 },
    );
  }
});

test("logs a failure that repeats only once", async () => {
  const { add, count, database, work } = createQueue();
  await add("a");
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line).msg) });
  await sql`create sequence refusals`.execute(database);
  // Statements fire this trigger even if they change no rows.
  await sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then perform nextval('refusals'); end if;
      raise disk_full;
    end $$`.execute(database);
  const countRefusals = async () => {
    const { rows } = await sql<{ readonly last_value: number }>`
      select last_value::int from refusals`.execute(database);
    return rows[0]?.last_value;
  };
  work(
    async ({ key }) => {
      if (key === "b") return done;
      await sql`
        create trigger refuse before update or delete on jobs
        execute function refuse()`.execute(database);
      await add("b");
      return done;
    },
    // The lease lasts longer than the test, so it is not renewed.
    { log, leaseMs: 600_000 },
  );
  await expect.poll(countRefusals).toBeGreaterThan(2);
  await sql`drop trigger refuse on jobs`.execute(database);
  await expect.poll(count).toBe(0);
  expect(lines.sort()).toEqual([
    "cannot look for jobs",
    "cannot store the result of the job",
  ]);
});

test("a stopped worker finishes its current jobs", async () => {
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

test("releases jobs that take too long at shutdown", async () => {
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

test("a retried job pauses parts of its next lane", async () => {
  const { count, database, queue, work } = createQueue();
  const add = (key: string, lane: string) =>
    enqueue(database, queue, [{ key, lane, part: "part", payload: null }]);
  await add("moved", "old");
  const keys: string[] = [];
  work(({ key }) => {
    keys.push(key);
    if (key !== "moved") return Promise.resolve(done);
    const pauses = [{ part: "part", ms: 3_600_000 }];
    const next = { lane: "new", afterMs: 3_600_000, pauses };
    return Promise.resolve({ kind: "retry", reason: "not yet", ...next });
  });
  await expect.poll(() => keys).toEqual(["moved"]);
  await add("other", "old");
  await expect.poll(() => keys).toEqual(["moved", "other"]);
  await expect.poll(count).toBe(1);
});
