import { setTimeout as sleep } from "node:timers/promises";

import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";

import type { Stoppable } from "../process/keep-running.js";
import type { Tables } from "./schema.js";

/** How often it is looked for what is old. */
const pauseMs = 10 * 60_000;

/** So many rows go at once, so that nobody waits for them. */
const batchSize = 1000;

/** How much of the documents of tokens is kept; more is read again when needed. */
export const maxDocumentBytes = 4 * 1024 ** 3;

/** How many jobs that were done can still be seen. */
const maxDoneJobs = 100_000;

const old = sql`now() - interval '30 days'`;

/** How much goes at once, and how much is kept at most. */
interface Limits {
  readonly limit: number;
  readonly maxBytes: number;
  readonly maxDone: number;
}

/** What goes, in this order: statements that remove at most so many rows. */
function statementsOf({
  limit,
  maxBytes,
  maxDone,
}: Limits): readonly RawBuilder<unknown>[] {
  return [
    sql`
      delete from webhook_listeners where id in (
        select id from webhook_listeners as listener
        where deleted_at < ${old} and not exists (
          select from webhook_notifications where listener_id = listener.id
        ) limit ${limit})`,
    sql`
      delete from jobs where id in (
        select id from jobs where dead_at < ${old} limit ${limit})`,
    sql`
      with removed as (
        select id from metadata_refreshes
        where updated_at < ${old} and status in ('COMPLETED', 'FAILED')
        limit ${limit}
      ), tokens as (
        delete from metadata_refresh_tokens
        where refresh_id in (select id from removed)
      )
      delete from metadata_refreshes where id in (select id from removed)`,
    sql`
      delete from done_jobs where id in (
        select id from done_jobs
        where done_at < now() - interval '7 days' limit ${limit})`,
    sql`
      delete from done_jobs where id in (
        select id from done_jobs order by done_at desc
        offset ${maxDone} limit ${limit})`,
    sql`
      delete from operator_sessions where hash in (
        select hash from operator_sessions
        where expires_at < now() - interval '1 day' limit ${limit})`,
    sql`
      delete from operator_actions where id in (
        select id from operator_actions
        where created_at < now() - interval '2 years' limit ${limit})`,
    sql`
      delete from project_calls where ctid in (
        select ctid from project_calls
        where day < current_date - 400 limit ${limit})`,
    sql`
      delete from rate_limits where ctid in (
        select ctid from rate_limits where full_at < now() limit ${limit})`,
    ...(["token_metadata", "contract_info"] as const).map(
      (table) => sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)}
          where saved_at < ${old} limit ${limit})`,
    ),
    sql`
      delete from token_metadata where ctid in (
        select ctid from (
          select ctid, sum(octet_length(document)) over (order by saved_at desc)
            as bytes
          from token_metadata
        ) as sized
        where bytes > ${maxBytes} limit ${limit})`,
  ];
}

/**
 * Removes what nobody asks for any more: listeners that were deleted, jobs that
 * were given up and refreshes that have ended 30 days ago, documents that were
 * read 30 days ago or are beyond what is kept, and buckets that are full. Of the
 * console, it removes jobs that were done 7 days ago or are beyond what is kept,
 * sessions a day after their end, counts of calls after 400 days, and what
 * operators did after two years.
 */
export async function removeOld(
  database: Kysely<Tables>,
  signal?: AbortSignal,
  {
    limit = batchSize,
    maxBytes = maxDocumentBytes,
    maxDone = maxDoneJobs,
  }: Partial<Limits> = {},
): Promise<void> {
  for (const statement of statementsOf({ limit, maxBytes, maxDone })) {
    for (;;) {
      signal?.throwIfAborted();
      const { numAffectedRows = 0n } = await statement.execute(database);
      if (numAffectedRows < BigInt(limit)) break;
    }
  }
}

/** Removes what is old from time to time, until it is stopped. */
export function startRetention({
  database,
  log,
}: {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
}): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { signal, ref: false })
        .then(() => removeOld(database, signal))
        .catch((error: unknown) => {
          if (!signal.aborted)
            log.warn({ err: error }, "cannot remove the old");
        });
    }
  };
  const ended = run();
  return {
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
