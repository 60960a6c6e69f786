import { sql } from "kysely";

import type { Database, Transaction } from "../../database/schema.js";

/** Lets a transaction hold its locks while a test waits. */
export async function keepIdle(transaction: Transaction): Promise<void> {
  const text = "set local idle_in_transaction_session_timeout = 0";
  await sql.raw(text).execute(transaction);
}

/** Counts the queries of a database that wait for a lock. */
export async function countLockWaits(database: Database): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database);
  return rows[0]?.count ?? 0;
}
