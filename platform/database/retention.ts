import { type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";

import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";
import type { Database } from "./schema.js";

/** The interval at which old rows are removed. */
const pauseMs = 10 * 60_000;

/** Tables with token and contract documents. */
export const documentTables = ["token_metadata", "contract_info"] as const;

/** The limits on what is kept. */
const defaultLimits = {
  /**
   * The number of rows per statement. It is small so that other statements do
   * not wait long.
   */
  limit: 1000,
  /** The number of jobs per statement, because their payloads can be large. */
  jobLimit: 50,
  /**
   * The total size of stored documents. Removed documents are read again when
   * needed.
   */
  maxBytes: 4 * 1024 ** 3,
  /** Completed jobs, and dead jobs, per queue and lane, in units of 8 KiB. */
  maxJobs: 100_000,
  /** Other finished rows per project and table. */
  maxEnded: 1000,
  /** Calls per project. */
  maxCalls: 10_000,
  /** Answers of calls with a key per project. */
  maxAnswers: 100_000,
};

type Limits = Readonly<typeof defaultLimits>;

const old = sql`now() - interval '30 days'`;

/** A statement that deletes rows, at most as many as its limit. */
interface Removal {
  readonly statement: RawBuilder<unknown>;
  readonly limit: number;
}

function limitOf(table: string, { jobLimit, limit }: Limits): number {
  return /jobs$/u.test(table) ? Math.min(jobLimit, limit) : limit;
}

/** Rows that are limited to the newest ones of each owner. */
interface EndedRows {
  readonly table: string;
  readonly owner: readonly string[];
  /** The number of a row, which grows. Default: `id`. */
  readonly number?: string;
  readonly where: RawBuilder<unknown>;
  /** Matches the rows that can be removed. Default: all of them. */
  readonly isRemovable?: RawBuilder<unknown>;
  /** How much of the limit a row takes up. Default: 1. */
  readonly weight?: RawBuilder<unknown>;
  readonly max: number;
}

/**
 * Returns a statement for each owner with rows beyond its limit. It deletes
 * some of these rows. Rows are only added up and sorted here, once for all
 * statements.
 */
async function removalsBeyond(
  database: Database,
  {
    isRemovable = sql`true`,
    max,
    number = "id",
    owner,
    table,
    weight = sql`1`,
    where,
  }: EndedRows,
  limits: Limits,
): Promise<readonly Removal[]> {
  const owners = sql.join(owner.map((column) => sql.ref(column)));
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${owners} from ${sql.table(table)} where ${where}
    group by ${owners} having sum(${weight}) > ${max}`.execute(database);
  const limit = limitOf(table, limits);
  const removals: Removal[] = [];
  for (const row of rows) {
    const own = owner.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    const ended = sql`from ${sql.table(table)}
      where (${where}) and ${sql.join(own, sql` and `)}`;
    // The indexes of jobs contain the negative ID.
    const key = sql.ref(number);
    const { rows: newest } = await sql<{ readonly last: number }>`
      select -position as last from (
        select -${key} as position, sum(${weight}) over (
          order by -${key} rows unbounded preceding) as total ${ended}
      ) as newest
      where total > ${max} order by position limit 1`.execute(database);
    const ids = sql`select id ${ended} and ${key} <= ${newest[0]?.last ?? null}
      and ${isRemovable} limit ${limit}`;
    removals.push({ statement: removeRows(table, ids), limit });
  }
  return removals;
}

/** For each table with child rows, the child table and its referring column. */
const children: Readonly<Record<string, readonly [string, string]>> = {
  metadata_refreshes: ["metadata_refresh_tokens", "refresh_id"],
  relays: ["relay_transactions", "relay_id"],
};

/** Returns a statement that deletes rows and the rows that refer to them. */
function removeRows(
  table: string,
  ids: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [child, column] = children[table] ?? [];
  const removeChildren =
    child === undefined || column === undefined
      ? sql``
      : sql`, children as (
          delete from ${sql.table(child)}
          where ${sql.ref(column)} in (select id from removed)
        )`;
  return sql`
    with removed as (${ids})${removeChildren}
    delete from ${sql.table(table)} where id in (select id from removed)`;
}

/**
 * Matches jobs except deliveries about blocks that a reorganization may remove,
 * because it would retract them.
 */
const isFinal = sql`not exists (
  select from block_deliveries
  where block_hash = payload -> 'notification' ->> 'blockHash')`;

/** Matches refresh tasks that are done. */
const isFinished = sql`status in ('COMPLETED', 'FAILED')`;

/** The rows that are limited per owner. */
function limitedRows(limits: Limits): readonly EndedRows[] {
  const ofProject = { owner: ["project_id"], max: limits.maxEnded };
  const max = limits.maxJobs;
  const ofLane = {
    ...{ owner: ["queue", "lane"], weight: sql`units` },
    ...{ max, isRemovable: isFinal },
  };

  return [
    {
      ...ofProject,
      table: "webhook_listeners",
      where: sql`deleted_at is not null or not active`,
    },
    { ...ofLane, table: "jobs", where: sql`dead_at is not null` },
    { ...ofLane, table: "done_jobs", where: sql`true` },
    { ...ofProject, table: "metadata_refreshes", where: isFinished },
    {
      ...ofProject,
      table: "logged_calls",
      where: sql`true`,
      max: limits.maxCalls,
    },
    {
      ...ofProject,
      table: "idempotent_answers",
      number: "number",
      where: sql`project_id is not null`,
      max: limits.maxAnswers,
    },
    {
      ...ofProject,
      table: "relays",
      where: sql`state = 'expired' and is_final and cost = 0`,
    },
  ];
}

/** The conditions for rows that are old, by table. */
const oldRows = {
  webhook_listeners: sql`deleted_at < ${old}`,
  jobs: sql`dead_at < ${old} and ${isFinal}`,
  done_jobs: sql`done_at < now() - interval '7 days' and ${isFinal}`,
  operator_sessions: sql`expires_at < now() - interval '1 day'`,
  operator_actions: sql`created_at < now() - interval '2 years'`,
  project_calls: sql`day < current_date - 400`,
  logged_calls: sql`created_at < now() - interval '7 days'`,
  idempotent_answers: sql`expires_at < now()`,
  rate_limits: sql`full_at < now()`,
  sponsor_spending: sql`slot < slot_of_spending(now() - interval '2 days')`,
  wrong_nodes: sql`reported_at < now() - interval '7 days'`,
  token_metadata: sql`saved_at < ${old}`,
  contract_info: sql`saved_at < ${old}`,
};

/** Returns a statement that deletes a limited number of a table's rows. */
function removeSome(
  table: string,
  which: RawBuilder<unknown>,
  limit: number,
): Removal {
  const statement = sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} ${which} limit ${limit})`;
  return { statement, limit };
}

/** The statements that delete old rows. */
function removalsOfOld(limits: Limits): readonly Removal[] {
  const { limit } = limits;
  const refreshes = sql`
    select id from metadata_refreshes
    where updated_at < ${old} and ${isFinished} limit ${limit}`;
  return [
    ...Object.entries(oldRows).map(([table, where]) =>
      removeSome(table, sql`where ${where}`, limitOf(table, limits)),
    ),
    { statement: removeRows("metadata_refreshes", refreshes), limit },
  ];
}

/**
 * Returns the minute of the oldest documents to keep, or null if there are no
 * documents. The last minute that is kept can exceed the limit.
 */
async function findOldestKept(
  database: Database,
  maxBytes: number,
): Promise<Date | null> {
  // Sorting minutes takes much less time than sorting documents.
  const { rows } = await sql<{ readonly minute: Date | null }>`
    select min(minute) as minute from (
      select minute, bytes, sum(bytes) over (order by minute desc) as total
      from (
        select date_trunc('minute', saved_at) as minute,
          sum(octet_length(document)) as bytes
        from (
          select saved_at, document from token_metadata
          union all
          select saved_at, document from contract_info
        ) as documents
        group by 1
      ) as minutes
    ) as totals
    where total - bytes <= ${maxBytes}`.execute(database);
  return rows[0]?.minute ?? null;
}

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
  const { limit, maxBytes } = limits;
  const removeAll = async ({ limit, statement }: Removal): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const { numAffectedRows = 0n } = await statement.execute(database);
      if (numAffectedRows < BigInt(limit)) break;
    }
  };
  const removeDocuments = async (): Promise<void> => {
    signal?.throwIfAborted();
    const oldest = await findOldestKept(database, maxBytes);
    const which = sql`where saved_at < ${oldest}`;
    for (const table of documentTables) {
      await removeAll(removeSome(table, which, limit));
    }
  };
  const tasks = [
    ...removalsOfOld(limits).map((each) => () => removeAll(each)),
    ...limitedRows(limits).map((rows) => async () => {
      const removals = await removalsBeyond(database, rows, limits);
      for (const each of removals) await removeAll(each);
    }),
  ];
  const failures: unknown[] = [];
  for (const run of [...tasks, removeDocuments]) {
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
