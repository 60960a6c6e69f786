import { sql } from "kysely";

import type { GasSponsor } from "../../../generated/index.js";
import { enterLock, lockRow } from "../../database/locks.js";
import { countUpTo, requireRoom } from "../../database/require-room.js";
import type { Database, Row, Transaction } from "../../database/schema.js";
import { unpaidParts, wakeUnpaid } from "./relay-queue.js";
import { requireGasTank } from "./gas-tanks.js";

/** An address to sponsor on a chain. */
export interface NewGasSponsor {
  readonly projectId: number;
  readonly chainId: number;
  /** The address, in upper or lower case. */
  readonly address: string;
  readonly name: string;
  readonly active: boolean;
  /**
   * What it pays at most in 24 hours, or null to remove the limit. If it is absent,
   * the limit stays the same.
   */
  readonly dailyLimit?: string | null | undefined;
}

/**
 * Stores a gas sponsor. If the project already has a sponsor with this address
 * on the chain, updates it, and restores it if it was deleted.
 *
 * Input: `max` is the limit on sponsors per project and chain.
 * Errors: `PermissionDenied` if the project has reached it.
 */
export function saveGasSponsor(
  database: Database,
  sponsor: NewGasSponsor,
  max: number,
): Promise<Row<"gas_sponsors">> {
  return database
    .transaction()
    .execute((transaction) => saveSponsorWithin(transaction, sponsor, max));
}

/** Like `saveGasSponsor`, as part of the caller's transaction. */
export async function saveSponsorWithin(
  transaction: Transaction,
  { projectId, chainId, address, name, active, dailyLimit }: NewGasSponsor,
  max: number,
): Promise<Row<"gas_sponsors">> {
  // Another request may delete this sponsor or add the last one that fits.
  await lockRow(transaction, "project", projectId);
  const place = { projectId, chainId };
  const { id: gasTankId } = await requireGasTank(transaction, place);
  const ofChain = sql`
      select from gas_sponsors
      where project_id = ${projectId} and chain_id = ${chainId}
        and deleted_at is null`;
  const known = sql`${ofChain} and address = ${address.toLowerCase()}`;
  if ((await countUpTo(transaction, 1, known)) === 0) {
    const what = `gas sponsors on chain ${chainId}`;
    await requireRoom(transaction, { projectId, max, what }, ofChain);
  }
  enterLock(transaction, "sponsor");
  const limit = dailyLimit === undefined ? {} : { daily_limit: dailyLimit };
  const row = await transaction
    .insertInto("gas_sponsors")
    .values({
      gas_tank_id: gasTankId,
      project_id: projectId,
      chain_id: chainId,
      address: address.toLowerCase(),
      name,
      active,
      ...limit,
      updated_at: sql<Date>`now()`,
      deleted_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "chain_id", "address"]).doUpdateSet({
        name,
        active,
        ...limit,
        updated_at: sql<Date>`now()`,
        deleted_at: null,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  if (dailyLimit !== undefined) {
    await wakeUnpaid(transaction, place, unpaidParts.sponsor(row.id));
  }
  return row;
}

/**
 * Marks a sponsor as deleted. If it is already deleted, its deletion time stays
 * the same.
 *
 * Returns whether the project has such a sponsor.
 */
export async function deleteGasSponsor(
  database: Database,
  projectId: number,
  id: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("gas_sponsors")
    .set({
      deleted_at: sql<Date>`coalesce(deleted_at, now())`,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Converts a row to the sponsor that callers receive. */
export function toGasSponsor(row: Row<"gas_sponsors">): GasSponsor {
  return {
    id: row.id,
    gasTankId: row.gas_tank_id,
    projectId: row.project_id,
    chainId: row.chain_id,
    address: row.address,
    name: row.name,
    active: row.active,
    updatedAt: row.updated_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    ...(row.deleted_at !== null && { deletedAt: row.deleted_at.toISOString() }),
  };
}
