import { sql } from "kysely";
import type { Logger } from "pino";

import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";
import { endedTables, isFinal, isFinished, removeEnded } from "./ended-rows.js";
import {
  createExecute,
  defaultLimits,
  type Limits,
  removalOf,
  removalWhere,
  removeAll,
  type TrimmedTable,
} from "./removal.js";
import type { Database } from "./schema.js";
import { documentTables, removeDocuments } from "./stored-documents.js";

/** The interval at which old rows are removed. */
const pauseMs = 10 * 60_000;

const old = sql`now() - interval '30 days'`;

/**
 * Matches documents that were not found. They are read again after a minute, and
 * anyone can ask for any number of them.
 */
const isUnused = sql`
  outcome <> 'found' and saved_at < now() - interval '1 hour'
  order by saved_at`;

/** The tables with rows that are removed when they are old, and conditions. */
const oldRows = [
  { table: "webhook_listeners", where: sql`deleted_at < ${old}` },
  {
    ...{ table: "jobs", isLarge: true },
    where: sql`dead_at < ${old} and ${isFinal}`,
  },
  {
    ...{ table: "done_jobs", isLarge: true },
    where: sql`done_at < now() - interval '7 days' and ${isFinal}`,
  },
  {
    table: "operator_sessions",
    where: sql`expires_at < now() - interval '1 day'`,
  },
  {
    table: "operator_actions",
    where: sql`created_at < now() - interval '2 years'`,
  },
  { table: "project_calls", where: sql`day < current_date - 400` },
  {
    table: "logged_calls",
    where: sql`created_at < now() - interval '7 days'`,
  },
  { table: "idempotent_answers", where: sql`expires_at < now()` },
  { table: "rate_limits", where: sql`full_at < now()` },
  {
    table: "sponsor_spending",
    where: sql`slot < slot_of_spending(now() - interval '2 days')`,
  },
  {
    table: "wrong_nodes",
    where: sql`reported_at < now() - interval '7 days'`,
  },
  ...documentTables.flatMap((table) => [
    { table, where: sql`saved_at < ${old}` },
    { table, where: isUnused },
  ]),
] satisfies readonly (TrimmedTable & { readonly where: unknown })[];

/** Selects old refresh tasks, to which rows refer. */
const oldRefreshes = sql`
  select id, null as place from metadata_refreshes
  where updated_at < ${old} and ${isFinished}
  order by updated_at, id`;

/**
 * Removes data that is no longer needed: rows that are old, rows beyond the number
 * that their owner keeps, and documents beyond the storage limit.
 *
 * Errors: the first error, once everything else has been removed.
 */
export async function removeOld(
  database: Database,
  signal?: AbortSignal,
  given: Partial<Limits> = {},
): Promise<void> {
  const limits = { ...defaultLimits, ...given };
  const removals = [
    ...oldRows.map((rows) => removalWhere(rows, () => rows.where, limits)),
    removalOf({ table: "metadata_refreshes" }, () => oldRefreshes, limits),
  ];
  const execute = createExecute(database, async (work) => {
    signal?.throwIfAborted();
    return work();
  });
  const tasks = [
    ...removals.map((each) => () => removeAll(execute, each)),
    ...endedTables.map((table) => () => removeEnded(execute, table, limits)),
    () => removeDocuments(execute, limits),
  ];
  const failures: unknown[] = [];
  for (const run of tasks) {
    try {
      await run();
    } catch (error) {
      // A table that cannot be cleaned up must not keep the others from it.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Removes old data periodically until it is stopped. */
export function startRetention({
  database,
  log,
}: {
  readonly database: Database;
  readonly log: Logger;
}): Stoppable {
  const remove = (signal: AbortSignal): Promise<void> =>
    removeOld(database, signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, "cannot remove old data");
    });
  // Pause first, so that the platform starts quickly.
  return repeatUntilStopped(pauseMs, remove, pauseMs);
}
