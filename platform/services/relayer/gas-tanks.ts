import { type Insertable, sql } from "kysely";

import { InvalidArgumentError } from "../../../generated/errors.js";
import { lockRow } from "../../database/locks.js";
import type { Database, Row, Transaction } from "../../database/schema.js";
import type { GasTankFillTable } from "../../database/tables/relayer.js";
import { unpaidParts, wakeUnpaid } from "./relay-queue.js";

/** Identifies the tank of a project on a chain. */
export interface GasTankPlace {
  readonly projectId: number;
  readonly chainId: number;
}

/** Returns a project's tank on a chain, and creates it if necessary. */
export async function requireGasTank(
  database: Database,
  { projectId, chainId }: GasTankPlace,
): Promise<Row<"gas_tanks">> {
  await database
    .insertInto("gas_tanks")
    .values({
      project_id: projectId,
      chain_id: chainId,
      balance: "0",
      updated_at: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "chain_id"]).doNothing(),
    )
    .execute();
  return database
    .selectFrom("gas_tanks")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("chain_id", "=", chainId)
    .executeTakeFirstOrThrow();
}

/** A change that an operator makes to a tank's balance. */
export interface TankChange {
  /** In the smallest unit. Negative to take an amount out of the tank. */
  readonly amount: bigint;
  /** The operator, or null for the platform itself. */
  readonly operator?: string | null;
  readonly reason?: string;
  /** A change with the key of an earlier one has no effect. */
  readonly key?: string;
}

/**
 * Changes a tank's balance, once for each key, and stores an entry.
 *
 * Errors: `InvalidArgument` if the amount to take out is not free, or if the key
 * is that of another change.
 */
export async function changeTankWithin(
  transaction: Transaction,
  place: GasTankPlace,
  { amount, key, operator = null, reason }: TankChange,
): Promise<Row<"gas_tanks">> {
  const { id } = await requireGasTank(transaction, place);
  await lockRow(transaction, "tank", id);
  const isNew = await storeEntry(transaction, {
    gas_tank_id: id,
    amount: amount.toString(),
    operator,
    reason: reason ?? null,
    idempotency_key: key ?? null,
  });
  if (isNew) {
    await transaction
      .updateTable("gas_tanks")
      .set({
        balance: sql<string>`balance + ${amount.toString()}::numeric`,
        updated_at: sql<Date>`now()`,
      })
      .where("id", "=", id)
      .execute();
    if (amount < 0n && (await readFreeGas(transaction, id)) < 0n) {
      const cause = "amount: the tank has less than this that is not reserved";
      throw new InvalidArgumentError({ cause });
    }
    if (amount > 0n) await wakeUnpaid(transaction, place, unpaidParts.tank);
  }
  return requireGasTank(transaction, place);
}

/** Stores an entry. Returns false if it is already stored. */
async function storeEntry(
  transaction: Transaction,
  entry: Insertable<GasTankFillTable>,
): Promise<boolean> {
  if (typeof entry.idempotency_key === "string") {
    const known = await transaction
      .selectFrom("gas_tank_fills")
      .select("amount")
      .where("gas_tank_id", "=", entry.gas_tank_id)
      .where("idempotency_key", "=", entry.idempotency_key)
      .executeTakeFirst();
    if (known?.amount === entry.amount) return false;
    if (known !== undefined) {
      const cause = "key: another change has this key";
      throw new InvalidArgumentError({ cause });
    }
  }
  await transaction.insertInto("gas_tank_fills").values(entry).execute();
  return true;
}

/**
 * Returns the part of a tank's balance that is not reserved. Locks the tank
 * until the end of the transaction.
 */
export async function readFreeGas(
  transaction: Transaction,
  gasTankId: number,
): Promise<bigint> {
  await lockRow(transaction, "tank", gasTankId);
  return readFreeNow(transaction, gasTankId);
}

/**
 * Returns the part of a tank's balance that is not reserved. Unless the tank is
 * locked, this can change at any time.
 */
export async function readFreeNow(
  database: Database,
  gasTankId: number,
): Promise<bigint> {
  const { free } = await database
    .selectFrom("gas_tanks")
    .select(
      sql<string>`balance - (
        select coalesce(sum(max_cost), 0) from relays
        where gas_tank_id = gas_tanks.id and state = 'pending'
      )`.as("free"),
    )
    .where("id", "=", gasTankId)
    .executeTakeFirstOrThrow();
  return BigInt(free);
}
