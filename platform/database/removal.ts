import { type QueryResult, type RawBuilder, sql } from "kysely";

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

/** Runs work in its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Executes a statement. */
export type Execute = <Row>(
  statement: RawBuilder<Row>,
) => Promise<QueryResult<Row>>;

/** Creates a function that executes each statement in its turn. */
export function createExecute(database: Database, inTurn: InTurn): Execute {
  return (statement) => inTurn(() => statement.execute(database));
}

/** Where a row is in the order of deletion. Null is the start. */
type Place = string | null;

/** Creates a selection of rows, or a condition for them, that begins after a place. */
export type RowsAfter = (last: Place) => RawBuilder<unknown>;

/** What a statement has deleted. */
interface Deleted {
  readonly count: number;
  /** The place of the last row, or null if the rows have no places. */
  readonly last: Place;
}

/** Deletes rows. */
export interface Removal {
  /** Creates a statement that deletes rows after a place, up to the limit. */
  readonly statement: (last: Place) => RawBuilder<Deleted>;
  readonly limit: number;
  /** Creates what runs before a statement, if its rows have many child rows. */
  readonly before?: (last: Place) => Removal;
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

const countDeleted = sql`
  select count(*)::int as count, max(place)::text as last from deleted`;

/**
 * Creates statements that delete rows and the rows that refer to them.
 *
 * Input: `ids` selects the `id` and `place` of rows, in order.
 */
export function removalOf(
  rows: TrimmedTable,
  ids: RowsAfter,
  limits: Limits,
): Removal {
  const limit = countAtOnce(rows, limits);
  const table = sql.table(rows.table);
  // Other instances and those who change the rows are neither waited for nor
  // overtaken.
  const chosen = (last: Place) => sql`
    chosen as (${ids(last)} limit ${limit} for update skip locked)`;
  const deleted = sql`
    deleted as (
      delete from ${table} using chosen where ${table}.id = chosen.id
      returning chosen.place as place
    )`;
  const found = children[rows.table];
  if (found === undefined) {
    const statement = (last: Place) => sql<Deleted>`
      with ${chosen(last)}, ${deleted} ${countDeleted}`;
    return { statement, limit };
  }
  const child = sql.table(found.child);
  const isChild = sql`${sql.ref(found.column)} in (select id from chosen)`;
  const statement = (last: Place) => sql<Deleted>`
    with ${chosen(last)}, children as (delete from ${child} where ${isChild}),
    ${deleted} ${countDeleted}`;
  if (!found.areMany) return { statement, limit };
  const before = (last: Place): Removal => ({
    limit: limits.limit,
    statement: () => sql<Deleted>`
      with ${chosen(last)}, deleted as (
        delete from ${child} where ctid in (
          select ctid from ${child} where ${isChild} limit ${limits.limit})
        returning null as place
      ) ${countDeleted}`,
  });
  return { statement, limit, before };
}

/**
 * Creates statements that delete rows to which no rows refer. Their tables need no
 * IDs.
 *
 * Input: `where` also orders the rows, by their `place` if it is given.
 */
export function removalWhere(
  rows: TrimmedTable,
  where: RowsAfter,
  limits: Limits,
  place = sql`null`,
): Removal {
  const limit = countAtOnce(rows, limits);
  const table = sql.table(rows.table);
  const statement = (last: Place) => sql<Deleted>`
    with deleted as (
      delete from ${table} where ctid in (
        select ctid from ${table} where ${where(last)} limit ${limit})
      returning ${place} as place
    ) ${countDeleted}`;
  return { statement, limit };
}

/**
 * Executes statements until one finds fewer rows than its limit. Each of them begins
 * where the one before has ended, so that it does not read what was deleted.
 */
export async function removeAll(
  execute: Execute,
  { before, limit, statement }: Removal,
): Promise<void> {
  let last: Place = null;
  for (;;) {
    if (before !== undefined) await removeAll(execute, before(last));
    const result: QueryResult<Deleted> = await execute(statement(last));
    const [deleted] = result.rows;
    if (deleted === undefined || deleted.count < limit) return;
    last = deleted.last;
  }
}
