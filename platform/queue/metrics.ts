import { type Kysely, sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Tables } from "../database/schema.js";

/** Creates metrics of the pending and dead jobs of each queue. */
export function measureQueues(
  registry: Registry,
  database: Kysely<Tables>,
): void {
  const jobs = new Gauge({
    name: "queue_jobs",
    help: "Jobs in the queues that are waiting or failed permanently.",
    labelNames: ["queue", "state"],
    registers: [registry],
    collect: async () => {
      const counts = await countJobs(database).catch(() => []);
      jobs.reset();
      for (const { queue, state, count } of counts) {
        jobs.set({ queue, state }, count);
      }
    },
  });
}

function countJobs(database: Kysely<Tables>) {
  return database
    .selectFrom("jobs")
    .select((row) => [
      "queue",
      sql<string>`case when dead_at is null then 'waiting' else 'dead' end`.as(
        "state",
      ),
      row.fn.countAll<number>().as("count"),
    ])
    .groupBy(["queue", "state"])
    .execute();
}
