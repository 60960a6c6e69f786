import type { Kysely } from "kysely";
import { afterAll, onTestFinished } from "vitest";

import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";
import { enqueue } from "../../queue/enqueue.js";
import type { Job } from "../../queue/leases.js";
import { type Outcome, startWorker } from "../../queue/worker.js";
import { createMigratedDatabase, silent } from "../support/test-database.js";

export const done: Outcome = { kind: "done" };

/** Opens queues in a separate database, for the tests in one file. */
export async function openQueues() {
  const url = await createMigratedDatabase();
  /** Opens separate connections to the database. */
  const open = () => {
    const { database } = openDatabase(url, silent);
    afterAll(() => database.destroy());
    return database;
  };
  return { url, open, createQueue: () => createQueue(open()) };
}

/** Creates a queue that no other test uses, with workers. */
function createQueue(database: Kysely<Tables>) {
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
