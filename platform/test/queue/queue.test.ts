import { setTimeout as sleep } from "node:timers/promises";

import { sql } from "kysely";
import { pino } from "pino";
import { Registry } from "prom-client";
import { RpcRequestError } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";

import { enqueue, replayDeadJobs } from "../../queue/enqueue.js";
import {
  findDueLanes,
  findLanes,
  type Job,
  renewLeases,
  takeJobs,
} from "../../queue/leases.js";
import { measureQueues } from "../../queue/metrics.js";
import type { Outcome } from "../../queue/worker.js";
import { hostileTexts } from "../support/hostile-texts.js";
import { done, openQueues } from "./create-queue.js";
import { listDeadJobs } from "./list-dead-jobs.js";

const { createQueue, open } = await openQueues();

test("two workers on one database run each job once", async () => {
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
  await expect.poll(count).toBe(0);
  expect(handled.sort()).toEqual(keys.sort());
});

test("many jobs in one lane do not delay other lanes", async () => {
  const { count, database, queue, work } = createQueue();
  const enqueueAll = (lane: string, length: number) => {
    const keys = Array.from({ length }, (_, index) => `${lane}${index}`);
    return enqueue(
      database,
      queue,
      keys.map((key) => ({ key, lane, payload: null })),
    );
  };
  await enqueueAll("a", 50);
  const running: string[] = [];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  work(
    async ({ key }) => {
      running.push(key);
      await held;
      return done;
    },
    { perLane: 3 },
  );
  await expect.poll(() => running).toHaveLength(3);
  await enqueueAll("b", 1);
  await expect.poll(() => running).toContain("b0");
  expect(running).toHaveLength(4);
  goOn();
  await expect.poll(count).toBe(0);
  expect(new Set(running).size).toBe(51);
});

test("takes jobs of some lanes without touching those of others", async () => {
  const { database, queue } = createQueue();
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    ...{ key: String(index), payload: null, lane: String(index % 100) },
  }));
  await enqueue(database, queue, jobs);
  const [lane = ""] = await findLanes(database, queue);
  const taken = await takeJobs(database, queue, new Map([[lane, 1]]), 10_000);
  expect(taken).toHaveLength(1);
  // PostgreSQL records locks in the rows themselves.
  const { rows } = await sql`
    select key from jobs
    where queue = ${queue} and xmax::text <> '0'`.execute(database);
  expect(rows).toEqual(taken.map(({ key }) => ({ key })));
});

test("finds lanes whose jobs are due, and those that have just become due", async () => {
  const { database, queue } = createQueue();
  const lanes = ["a", "b", "c"];
  const jobs = lanes.flatMap((lane) =>
    ["", "1"].map((part) => ({ key: lane + part, payload: null, lane, part })),
  );
  await enqueue(database, queue, jobs);
  await sql`
    with changed as (
      select id, now() - case lane
        when 'b' then interval '1 hour' else interval '-1 hour' end as at
      from jobs where queue = ${queue} and lane <> 'a'
    )
    update jobs set due_at = at, run_at = at
    from changed where jobs.id = changed.id`.execute(database);
  expect(await findLanes(database, queue)).toEqual(["a/", "a/1", "b/", "b/1"]);
  const found = await findDueLanes(database, queue, 60_000);
  expect([...found].sort()).toEqual(["a/", "a/1"]);
  // A job that is being run is not due.
  await takeJobs(database, queue, new Map([["a/", 1]]), 10_000);
  expect(await findDueLanes(database, queue, 60_000)).toEqual(["a/1"]);
});

test("taking a job and renewing its lease write no index", async () => {
  const { add, database, queue } = createQueue();
  await add("a", "b");
  const inPlace = await database.transaction().execute(async (transaction) => {
    const lanes = new Map([["/", 2]]);
    const jobs = await takeJobs(transaction, queue, lanes, 10_000);
    expect((await renewLeases(transaction, jobs, 20_000)).size).toBe(2);
    const { rows } = await sql<{ readonly count: number }>`
      select pg_stat_get_xact_tuples_hot_updated('jobs'::regclass) as count
    `.execute(transaction);
    return rows;
  });
  expect(inPlace).toEqual([{ count: 4 }]);
});

test("counts waiting and dead jobs of each queue, up to a limit", async () => {
  const one = createQueue();
  const two = createQueue();
  await one.add("a", "b", "c", "d");
  await two.add("a");
  await one.database
    .updateTable("jobs")
    .set({ dead_at: new Date() })
    .where("queue", "=", one.queue)
    .where("key", "=", "d")
    .execute();
  const registry = new Registry();
  measureQueues(registry, one.database, 2);
  const lines = (await registry.metrics()).split("\n");
  const own = lines.filter((line) =>
    [one, two].some(({ queue }) => line.includes(queue)),
  );
  expect(own.sort()).toEqual(
    [
      `queue_jobs{queue="${one.queue}",state="waiting"} 2`,
      `queue_jobs{queue="${one.queue}",state="dead"} 1`,
      `queue_jobs{queue="${two.queue}",state="waiting"} 1`,
    ].sort(),
  );
});

test("stores the size of a payload in units of 8 KiB, also of a completed job", async () => {
  const { count, database, queue, work } = createQueue();
  // "é" takes two bytes.
  const payloads = ["é".repeat(4095), "é".repeat(4096), "a".repeat(40_000)];
  await enqueue(
    database,
    queue,
    payloads.map((payload, at) => ({ key: String(at), payload })),
  );
  const unitsIn = async (table: "jobs" | "done_jobs") => {
    const rows = await database
      .selectFrom(table)
      .select("units")
      .where("queue", "=", queue)
      .orderBy("key")
      .execute();
    return rows.map(({ units }) => units);
  };
  expect(await unitsIn("jobs")).toEqual([1, 2, 5]);
  work(() => Promise.resolve(done), { keepsDone: true });
  await expect.poll(count).toBe(0);
  expect(await unitsIn("done_jobs")).toEqual([1, 2, 5]);
});

test("queues a key only once until its job is done", async () => {
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

test("jobs are committed and rolled back with the transaction that enqueues them", async () => {
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

test("a worker sets the time of a job's next attempt", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  const times: number[] = [];
  work(({ attempts }) => {
    times.push(performance.now());
    const afterMs = 200;
    return Promise.resolve(
      attempts < 3 ? { kind: "retry", afterMs, reason: "not yet" } : done,
    );
  });
  await expect.poll(count).toBe(0);
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThan(150);
  expect(third - second).toBeGreaterThan(150);
});

test("a job's age does not depend on the clocks of the process and the database", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  const day = 24 * 60 * 60 * 1000;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + day });
  onTestFinished(() => void vi.useRealTimers());
  let age = NaN;
  work(({ ageMs }) => {
    age = ageMs;
    return Promise.resolve(done);
  });
  await expect.poll(count).toBe(0);
  expect(age).toBeLessThan(day / 2);
});

test("retries a job whose handler rejects", async () => {
  const { add, count, work } = createQueue();
  await add("a");
  work(({ attempts }) =>
    attempts === 1 ? Promise.reject(new Error("no")) : Promise.resolve(done),
  );
  await expect.poll(count).toBe(0);
});

test.each(hostileTexts)("stores why jobs failed: $name", async (each) => {
  const { excerpt, text } = each;
  const { add, database, queue, work } = createQueue();
  await add("retried", "dead", "failed");
  work(({ key }) => {
    if (key === "failed") return Promise.reject(new Error(text));
    const again = { afterMs: 60_000, reason: text };
    return Promise.resolve(
      key === "dead"
        ? { kind: "dead", reason: text }
        : { kind: "retry", ...again },
    );
  });
  const list = () =>
    database
      .selectFrom("jobs")
      .select(["key", "reason"])
      .select(sql`history -> 0 ->> 'reason'`.as("first"))
      .where("queue", "=", queue)
      .where("reason", "is not", null)
      .orderBy("key")
      .execute();
  const expected = { reason: excerpt, first: excerpt };
  await expect.poll(list).toMatchObject([
    { key: "dead", ...expected },
    { key: "failed", ...expected },
    { key: "retried", ...expected },
  ]);
});

test("does not log URLs of nodes when a job fails", async () => {
  const { add, work } = createQueue();
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  await add("a");
  const error = { code: -32_000, message: "no" };
  const url = "http://localhost/the-key";
  const fail = () => new RpcRequestError({ body: {}, error, url });
  work(() => Promise.reject(fail()), { log });
  await expect.poll(() => lines.join("")).toContain("the job failed");
  expect(lines.join("")).not.toContain("the-key");
});

test("keeps a dead job so that it can be replayed", async () => {
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
    .poll(() => listDeadJobs(database, queue))
    .toMatchObject([
      { key: "a", payload: { key: "a" }, attempts: 1, reason: "gone for good" },
    ]);
  await expect.poll(count).toBe(1);
  // Enqueuing the job again does not revive it.
  expect(await add("a")).toBe(0);
  isBroken = false;
  expect(await replayDeadJobs(database, queue, { key: "b" })).toBe(0);
  expect(await replayDeadJobs(database, queue, {})).toBe(1);
  await expect.poll(count).toBe(0);
});

test("runs the jobs of a sequence one after another, even if one must wait", async () => {
  const { count, database, queue, work } = createQueue();
  const handled: string[] = [];
  const jobs = ["a1", "a2", "b1", "a3"].map((key) => ({
    ...{ key, payload: null },
    sequence: key.slice(0, 1),
  }));
  await enqueue(database, queue, jobs);
  work(({ key, attempts }) => {
    if (key === "a1" && attempts === 1) {
      return Promise.resolve({ kind: "retry", afterMs: 200, reason: "" });
    }
    handled.push(key);
    return Promise.resolve(done);
  });
  await expect.poll(count).toBe(0);
  expect(handled).toEqual(["b1", "a1", "a2", "a3"]);
});
