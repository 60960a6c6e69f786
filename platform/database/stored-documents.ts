import { sql } from "kysely";

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
  removalWhere,
  removeAll,
  type RowsAfter,
} from "./removal.js";

/** Tables with token and contract documents. */
export const documentTables = ["token_metadata", "contract_info"] as const;

/**
 * How many bytes a row with a document takes up besides it, together with its
 * entries in indexes.
 */
export const rowBytes = 500;

/** Returns how much of the storage limit a document takes up, in bytes. */
export function storedSizeOf(document: string): number {
  return Buffer.byteLength(document) + rowBytes;
}

/** For each row that a statement removes, how many rows one can add up. */
const addedPerRemoved = 10;

/** The sum of some documents, the newest of those before a point in time. */
interface Piece {
  readonly count: number;
  readonly bytes: number;
  /** When the oldest of them was stored. Null if there are none. */
  readonly last: string | null;
  /** The same of those within the limit. */
  readonly oldest: string | null;
}

/**
 * Returns when the oldest documents to keep were stored, or null to keep all of
 * them. Those of the last point in time that is kept can exceed the limit. The
 * sizes are added up in pieces, because a statement for all of them would take too
 * long.
 */
async function findOldestKept(
  execute: Execute,
  { limit, maxBytes }: Limits,
): Promise<string | null> {
  const atOnce = addedPerRemoved * limit;
  let left = maxBytes;
  // A date in JavaScript has no microseconds.
  let before: string | null = "infinity";
  while (before !== null) {
    const piece: Piece = await addUp(execute, before, left, atOnce);
    if (piece.bytes > left) return piece.oldest;
    left -= piece.bytes;
    before = piece.count < atOnce ? null : piece.last;
  }
  return null;
}

async function addUp(
  execute: Execute,
  before: string,
  left: number,
  atOnce: number,
): Promise<Piece> {
  const { rows } = await execute(sql<Piece>`
    select coalesce(sum(count), 0)::int as count,
      coalesce(sum(bytes), 0)::float8 as bytes,
      min(saved_at)::text as last,
      (min(saved_at) filter (where newer <= ${left}))::text as oldest
    from (
      select saved_at, count(*) as count, sum(bytes) as bytes,
        sum(sum(bytes)) over (order by saved_at desc) - sum(bytes) as newer
      from (
        select saved_at, octet_length(document) + ${rowBytes}::int as bytes
        from (
          select saved_at, document from token_metadata
          union all
          select saved_at, document from contract_info
        ) as documents
        where saved_at < ${before}::timestamptz
        order by saved_at desc fetch first (${atOnce}) rows with ties
      ) as newest
      group by saved_at
    ) as moments`);
  return rows[0] ?? { count: 0, bytes: 0, last: null, oldest: null };
}

/** Removes the oldest documents beyond the storage limit. */
export async function removeDocuments(
  execute: Execute,
  limits: Limits,
): Promise<void> {
  const oldest = await findOldestKept(execute, limits);
  if (oldest === null) return;
  // In the order of the index, so that a statement does not scan the table.
  const isOlder: RowsAfter = (last) => sql`
    saved_at >= ${last ?? "-infinity"}::timestamptz
    and saved_at < ${oldest}::timestamptz order by saved_at`;
  for (const table of documentTables) {
    const removal = removalWhere({ table }, isOlder, limits, sql`saved_at`);
    await removeAll(execute, removal);
  }
}

/**
 * Limits how much this instance adds to the documents between two regular
 * removals. The sizes are in bytes.
 */
export function limitDocuments(
  { database, ...parts }: GrowthParts,
  given: Partial<Limits> = {},
): NoteStored {
  const limits = { ...defaultLimits, ...given };
  return createGrowthLimit({
    ...parts,
    max: limits.maxBytes,
    remove: async (_, inTurn) => {
      await removeDocuments(createExecute(database, inTurn), limits);
      return limits.maxBytes;
    },
  });
}
