import { type RawBuilder, sql } from "kysely";

import { PermissionDeniedError } from "../../generated/errors.js";
import { lockRow } from "./locks.js";
import type { Database, Transaction } from "./schema.js";

/** A limit on the rows that a project stores. */
export interface RowLimit {
  readonly projectId: number;
  readonly max: number;
  /** A plural noun for the rows, used in the error message. */
  readonly what: string;
}

/**
 * Checks that a project has not reached its limit on rows.
 *
 * Input: a query for the rows that count toward the limit.
 * Errors: `PermissionDenied` if the limit is reached.
 */
export async function requireRoom(
  transaction: Transaction,
  { max, projectId, what }: RowLimit,
  rows: RawBuilder<unknown>,
): Promise<void> {
  await lockRow(transaction, "project", projectId);
  const count = await countUpTo(transaction, max, rows);
  if (count < max) return;
  const cause = `the project has reached the maximum number of ${what} (${max})`;
  throw new PermissionDeniedError({ cause });
}

/** Counts the rows of a query, reading at most a maximum number of them. */
export async function countUpTo(
  database: Database,
  max: number,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const { rows: found } = await sql<{ readonly count: number }>`
    select count(*)::int as count
    from (${rows} limit ${max}) as stored`.execute(database);
  return found[0]?.count ?? 0;
}
