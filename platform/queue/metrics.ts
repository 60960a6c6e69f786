import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Database } from "../database/schema.js";

/** The maximum number of jobs counted per queue and state. */
const maxCounted = 20_000;

/** Creates a metric for the pending and dead jobs of each queue. */
export function measureQueues(
  registry: Registry,
  database: Database,
  max = maxCounted,
): void {
  const jobs = new Gauge({
    name: "queue_jobs",
    help: `Jobs that are waiting or failed permanently, by queue, up to ${max}.`,
    labelNames: ["queue", "state"],
    registers: [registry],
    collect: async () => {
      const counts = await countJobs(database, max).catch(() => []);
      jobs.reset();
      for (const { queue, state, count } of counts) {
        jobs.set({ queue, state }, count);
      }
    },
  });
}

interface JobCount {
  readonly queue: string;
  readonly state: string;
  readonly count: number;
}

async function countJobs(
  database: Database,
  max: number,
): Promise<readonly JobCount[]> {
  // Finding a queue takes one index lookup, regardless of how many jobs it has.
  const counts = sql<JobCount>`
    with recursive queues (queue) as (
      select min(queue) from jobs
      union all
      select (select min(jobs.queue) from jobs where jobs.queue > queues.queue)
      from queues where queues.queue is not null
    )
    select queue, state, count from queues cross join lateral (
      select 'waiting' as state, count(*)::int as count from (
        select from jobs
        where jobs.queue = queues.queue and dead_at is null
        order by -id limit ${max}
      ) as waiting
      union all
      select 'dead', count(*)::int from (
        select from jobs
        where jobs.queue = queues.queue and dead_at is not null
        order by -id limit ${max}
      ) as dead
    ) as counted
    where count > 0`;
  return database.transaction().execute(async (transaction) => {
    // Then PostgreSQL reads jobs in the order of the index, up to the maximum.
    // Otherwise, it can read all of them and sort them.
    await sql`set local enable_sort = off`.execute(transaction);
    const { rows } = await counts.execute(transaction);
    return rows;
  });
}
