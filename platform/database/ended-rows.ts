import { type RawBuilder, sql } from "kysely";

import {
  createGrowthLimit,
  type GrowthParts,
  type NoteStored,
} from "./growth-limit.js";
import {
  createExecute,
  defaultLimits,
  type Execute,
  type Limits,
  removalOf,
  removeAll,
  type RowsAfter,
  type TrimmedTable,
} from "./removal.js";
import { unitBytes } from "./storage-units.js";

/** Rows that are limited to the newest ones of each owner. */
interface EndedRows extends Pick<TrimmedTable, "isLarge"> {
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

/** The tables whose rows are limited per owner. */
export const endedTables = [
  ...([
    "webhook_listeners",
    "jobs",
    "done_jobs",
    "metadata_refreshes",
  ] as const),
  ...(["logged_calls", "idempotent_answers", "relays"] as const),
];

type EndedTable = (typeof endedTables)[number];

/**
 * Matches jobs except deliveries about blocks that a reorganization may remove,
 * because it would retract them.
 */
export const isFinal = sql`not exists (
  select from block_deliveries
  where block_hash = payload -> 'notification' ->> 'blockHash')`;

/** Matches refresh tasks that are done. */
export const isFinished = sql`status in ('COMPLETED', 'FAILED')`;

/** The rows that are limited per owner. */
function endedRows(limits: Limits): Readonly<Record<EndedTable, EndedRows>> {
  const ofProject = { owner: ["project_id"], max: limits.maxEnded };
  const ofLane = {
    ...{ owner: ["queue", "lane"], weight: sql`units`, max: limits.maxJobs },
    ...{ isRemovable: isFinal, isLarge: true },
  };
  return {
    webhook_listeners: {
      ...ofProject,
      where: sql`deleted_at is not null or not active`,
    },
    jobs: { ...ofLane, where: sql`dead_at is not null` },
    done_jobs: { ...ofLane, where: sql`true` },
    metadata_refreshes: { ...ofProject, where: isFinished },
    logged_calls: { ...ofProject, where: sql`true`, max: limits.maxCalls },
    idempotent_answers: {
      ...{ ...ofProject, number: "number", max: limits.maxAnswers },
      where: sql`project_id is not null`,
    },
    relays: {
      ...{ ...ofProject, max: limits.maxRelays, isLarge: true },
      where: sql`state = 'expired' and is_final and cost = 0`,
      weight: sql`
        (octet_length(data) + ${unitBytes - 1}::int) / ${unitBytes}::int`,
    },
  };
}

/** Matches the rows of an owner. */
function isOf(columns: readonly string[], owner: readonly unknown[]) {
  const conditions = columns.map(
    (column, at) => sql`${sql.ref(column)} = ${owner[at]}`,
  );
  return sql.join(conditions, sql` and `);
}

/** An owner, and whether it has rows beyond its limit. */
interface Owner {
  readonly owner: readonly unknown[];
  readonly isBeyond: boolean;
}

/**
 * The number of owners whose rows one statement adds up. A statement for all of
 * them would take too long.
 */
const ownersAtOnce = 20;

/** A number before those of all rows. */
const beforeAll = String(1n - 2n ** 63n);

/** Finds the next owners after one of them, or the first ones. */
async function findOwners(
  execute: Execute,
  name: EndedTable,
  { max, owner, weight = sql`1`, where }: EndedRows,
  after: readonly unknown[] | undefined,
): Promise<readonly Owner[]> {
  const table = sql.table(name);
  const columnsOf = (prefix: string) =>
    sql.join(owner.map((column) => sql.ref(prefix + column)));
  const columns = columnsOf("");
  const first =
    after === undefined
      ? sql``
      : sql`and (${columns}) > (${sql.join([...after])})`;
  // Each owner is found by one search in the index, however many rows it has.
  const { rows } = await execute(sql<Readonly<Record<string, unknown>>>`
    with recursive owners as (
      (select ${columns} from ${table} where (${where}) ${first}
        order by ${columns} limit 1)
      union all
      select next.* from owners cross join lateral (
        select ${columns} from ${table}
        where (${where}) and (${columns}) > (${columnsOf("owners.")})
        order by ${columns} limit 1
      ) as next
    ), piece as (select * from owners limit ${ownersAtOnce})
    select piece.*, (
      select sum(${weight}) > ${max} from ${table}
      where (${where}) and (${columns}) = (${columnsOf("piece.")})
    ) as "isBeyond"
    from piece`);
  return rows.map((row) => ({
    owner: owner.map((column) => row[column]),
    isBeyond: row["isBeyond"] === true,
  }));
}

/**
 * Removes the oldest rows of an owner beyond its limit. Rows are only added up
 * once, for all statements. Returns their size, or 0 if they are within the limit.
 */
async function removeBeyond(
  execute: Execute,
  table: EndedTable,
  limits: Limits,
  owner: readonly unknown[],
): Promise<number> {
  const rows = endedRows(limits)[table];
  const { isRemovable = sql`true`, max, weight = sql`1`, where } = rows;
  const ended = sql`from ${sql.table(table)}
    where (${where}) and ${isOf(rows.owner, owner)}`;
  // The indexes of jobs contain the negative ID.
  const number = sql.ref(rows.number ?? "id");
  const position = sql`-${number}`;
  const { rows: sums } = await execute(sql<{
    readonly first: number;
    readonly whole: number;
  }>`
    select position as first, whole from (
      select ${position} as position, sum(${weight}) over () as whole,
        sum(${weight}) over (
          order by ${position} rows unbounded preceding) as total ${ended}
    ) as newest
    where total > ${max} order by position limit 1`);
  const [beyond] = sums;
  if (beyond === undefined) return 0;
  // The oldest ones can be removed first.
  const ids: RowsAfter = (last) => sql`
    select id, ${number} as place ${ended} and ${position} >= ${beyond.first}
      and ${position} < -(${last ?? beforeAll}::bigint) and ${isRemovable}
    order by ${position} desc`;
  const { isLarge = false } = rows;
  const removal = removalOf({ table, isLarge }, ids, limits);
  await removeAll(execute, removal);
  return beyond.whole;
}

/** Removes the oldest rows of all owners beyond their limits. */
export async function removeEnded(
  execute: Execute,
  table: EndedTable,
  limits: Limits,
): Promise<void> {
  const rows = endedRows(limits)[table];
  let last: readonly unknown[] | undefined;
  do {
    const owners = await findOwners(execute, table, rows, last);
    for (const { isBeyond, owner } of owners) {
      if (isBeyond) await removeBeyond(execute, table, limits, owner);
    }
    last = owners.length < ownersAtOnce ? undefined : owners.at(-1)?.owner;
  } while (last !== undefined);
}

/**
 * Limits how much this instance adds to a table between two regular removals. The
 * sizes are in units.
 */
export function limitEnded(
  { database, ...parts }: GrowthParts,
  table: EndedTable,
): NoteStored {
  return createGrowthLimit({
    ...parts,
    max: endedRows(defaultLimits)[table].max,
    remove: (owner, inTurn) => {
      const execute = createExecute(database, inTurn);
      return removeBeyond(execute, table, defaultLimits, owner);
    },
  });
}
