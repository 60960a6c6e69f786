import { type RawBuilder, sql } from "kysely";

import type { Database } from "./schema.js";

/** The limits on what is kept. */
export const defaultLimits = {
  /**
   * The number of rows per statement. It is small so that other statements do
   * not wait long.
   */
  limit: 1000,
  /** The number of rows per statement if a row can be large. */
  largeLimit: 50,
  /**
   * The total size of stored documents. Removed documents are read again when
   * needed.
   */
  maxBytes: 4 * 1024 ** 3,
  /** Completed jobs, and dead jobs, per queue and lane, in units of 8 KiB. */
  maxJobs: 100_000,
  /** Expired relays per project, in units of 8 KiB. */
  maxRelays: 10_000,
  /** Other finished rows per project and table. */
  maxEnded: 1000,
  /** Calls per project. */
  maxCalls: 10_000,
  /** Answers of calls with a key per project. */
  maxAnswers: 100_000,
};

/** The limits on what is kept. */
export type Limits = Readonly<typeof defaultLimits>;

/** A table from which rows are removed. */
export interface TrimmedTable {
  readonly table: string;
  /**
   * Whether a row can be so large that a statement deletes only a few of them.
   * The default is false.
   */
  readonly isLarge?: boolean;
}

/** A statement that deletes rows, at most as many as its limit. */
export interface Removal {
  readonly statement: RawBuilder<unknown>;
  readonly limit: number;
  /** Runs before each statement, if its rows have many child rows. */
  readonly before?: Removal;
}

/** Returns how many rows a statement deletes. */
function countAtOnce(
  { isLarge = false }: TrimmedTable,
  { largeLimit, limit }: Limits,
): number {
  return isLarge ? Math.min(largeLimit, limit) : limit;
}

/** A table whose rows refer to those of another one. */
interface ChildTable {
  readonly child: string;
  /** The referring column. */
  readonly column: string;
  /** Whether a row can have so many children that one statement is too slow. */
  readonly areMany: boolean;
}

/** The child tables by table. */
const children: Readonly<Record<string, ChildTable>> = {
  metadata_refreshes: {
    ...{ child: "metadata_refresh_tokens", column: "refresh_id" },
    areMany: true,
  },
  relays: { child: "relay_transactions", column: "relay_id", areMany: false },
};

/**
 * Creates a statement that deletes rows and the rows that refer to them.
 *
 * Input: `ids` selects the IDs of the rows, in a fixed order.
 */
export function removalOf(
  rows: TrimmedTable,
  ids: RawBuilder<unknown>,
  limits: Limits,
): Removal {
  const limit = countAtOnce(rows, limits);
  const table = sql.table(rows.table);
  // Other instances and those who change the rows are neither waited for nor
  // overtaken.
  const removed = sql`
    removed as (${ids} limit ${limit} for update skip locked)`;
  const isRemoved = sql`in (select id from removed)`;
  const found = children[rows.table];
  if (found === undefined) {
    const statement = sql`
      with ${removed} delete from ${table} where id ${isRemoved}`;
    return { statement, limit };
  }
  const child = sql.table(found.child);
  const column = sql.ref(found.column);
  const statement = sql`
    with ${removed}, children as (
      delete from ${child} where ${column} ${isRemoved}
    )
    delete from ${table} where id ${isRemoved}`;
  if (!found.areMany) return { statement, limit };
  const before = sql`
    with ${removed} delete from ${child} where ctid in (
      select ctid from ${child} where ${column} ${isRemoved}
      limit ${limits.limit})`;
  return {
    ...{ statement, limit },
    before: { statement: before, limit: limits.limit },
  };
}

/**
 * Creates a statement that deletes rows to which no rows refer. Their tables need
 * no IDs.
 */
export function removalWhere(
  rows: TrimmedTable,
  where: RawBuilder<unknown>,
  limits: Limits,
): Removal {
  const limit = countAtOnce(rows, limits);
  const table = sql.table(rows.table);
  const statement = sql`
    delete from ${table} where ctid in (
      select ctid from ${table} where ${where} limit ${limit})`;
  return { statement, limit };
}

/** Executes a statement until it finds fewer rows than its limit. */
export async function removeAll(
  database: Database,
  { before, limit, statement }: Removal,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    if (before !== undefined) await removeAll(database, before, signal);
    signal?.throwIfAborted();
    const { numAffectedRows = 0n } = await statement.execute(database);
    if (numAffectedRows < BigInt(limit)) break;
  }
}
