import { type RawBuilder, sql } from "kysely";

import type { Transaction } from "./schema.js";

/**
 * What transactions that move money lock, in the order in which they must do
 * so. Transactions that all lock in one order cannot deadlock. Requests wait for
 * tanks, so no transaction holds a tank while it waits for an account. The sums
 * of what sponsors spend (`sponsor_spending`), which triggers lock last, are not
 * in it: a transaction settles one relay, so it changes the sums of one sponsor.
 */
const order = [
  "wallet",
  "project",
  "sponsor",
  "relay",
  "account",
  "tank",
] as const;

/** Something that a transaction locks. */
export type Lock = (typeof order)[number];

const held = new WeakMap<Transaction, Map<string, number>>();

/**
 * Declares that a transaction is about to take a lock.
 *
 * Returns whether it already has this lock.
 * Errors: Error if it has already taken one that comes later in the order.
 */
export function enterLock(
  transaction: Transaction,
  lock: Lock,
  name = "",
): boolean {
  const locks = held.get(transaction) ?? new Map<string, number>();
  held.set(transaction, locks);
  const key = `${lock} ${name}`;
  if (locks.has(key)) return true;
  const position = order.indexOf(lock);
  const last = Math.max(0, ...locks.values());
  if (position < last) {
    throw new Error(`locks ${lock} after ${String(order[last])}`);
  }
  locks.set(key, position);
  return false;
}

/** Acquires a named lock until the transaction ends. */
export async function lockName(
  transaction: Transaction,
  lock: Lock,
  name: string,
): Promise<void> {
  if (enterLock(transaction, lock, name)) return;
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(
    transaction,
  );
}

const tables = {
  project: "projects",
  relay: "relays",
  tank: "gas_tanks",
} as const;

/** Locks a row until the transaction ends. */
export async function lockRow(
  transaction: Transaction,
  lock: keyof typeof tables,
  id: number,
): Promise<void> {
  if (enterLock(transaction, lock, String(id))) return;
  const row: RawBuilder<unknown> = sql`
    select from ${sql.table(tables[lock])} where id = ${id}
    for no key update`;
  await row.execute(transaction);
}
