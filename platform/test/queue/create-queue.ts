import { afterAll, onTestFinished } from "vitest";

import { migrate } from "../../database/migrate.js";
import { openDatabase } from "../../database/pool.js";
import { enqueue } from "../../queue/enqueue.js";
import type { Job } from "../../queue/leases.js";
import { type Outcome, startWorker } from "../../queue/worker.js";
import { createDatabase, silent } from "../support/test-database.js";

/** The database of the queues of one file. */
export const url = await createDatabase();

/** Connections of their own to it. */
export function open() {
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  return database;
}

await migrate(open());

export const done: Outcome = { kind: "done" };

/** A queue that no other test has, and workers for it. */
export function createQueue() {
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
