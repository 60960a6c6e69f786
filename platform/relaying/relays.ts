import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { type Hex, isHash, type TransactionReceipt } from "viem";

import type { Tables } from "../database/schema.js";
import { dataFeeOf } from "./data-fee.js";
import type { RelayState, RelayTable } from "./tables.js";
import { hashOfCall, type WalletCall } from "./wallet-call.js";

/** A call that is relayed, as callers see it. */
export interface Relay {
  readonly id: number;
  readonly status: RelayState;
  /** Of the transaction that makes the call. */
  readonly transactionHash: Hex;
  /** Once there is a receipt. */
  readonly gasUsed?: string;
  /** What was taken out of the gas tank. */
  readonly cost?: string;
}

/** A relay of a project; null when it has none of that number. */
export async function findRelay(
  database: Kysely<Tables>,
  projectId: number,
  id: number,
): Promise<Relay | null> {
  const row = await database
    .selectFrom("relays")
    .selectAll()
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row === undefined ? null : toRelay(row);
}

/** What is known of the nonce of a call. */
export interface KnownCall {
  readonly relay: Relay;
  /** Whether it is this very call, of this project. */
  readonly isSame: boolean;
}

/**
 * The relay of a call, or of another one that is under way with its nonce; null
 * when there is neither. What is done already, the wallet itself does not do
 * again.
 */
export async function findKnownCall(
  database: Kysely<Tables>,
  place: { readonly projectId: number; readonly chainId: number },
  call: WalletCall,
): Promise<KnownCall | null> {
  const rows = await database
    .selectFrom("relays")
    .selectAll()
    .where("chain_id", "=", place.chainId)
    .where("wallet", "=", call.wallet.toLowerCase())
    .where("wallet_nonce", "=", call.nonce.toString())
    // What was reverted has left the nonce as it was.
    .where("state", "!=", "reverted")
    .execute();
  const hash = hashOfCall(place.chainId, call);
  const same = rows.find(
    (row) => row.call_hash === hash && row.project_id === place.projectId,
  );
  if (same !== undefined) return { relay: toRelay(same), isSame: true };
  const rival = rows.find(({ state }) => state === "pending");
  return rival === undefined ? null : { relay: toRelay(rival), isSame: false };
}

/**
 * How much of a tank is not kept for others; the tank stays locked until the
 * end of the transaction.
 */
export async function readFreeGas(
  transaction: Transaction<Tables>,
  gasTankId: number,
): Promise<bigint> {
  const { balance } = await transaction
    .selectFrom("gas_tanks")
    .select("balance")
    .where("id", "=", gasTankId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { kept } = await transaction
    .selectFrom("relays")
    .select(sql<string>`coalesce(sum(max_cost), 0)`.as("kept"))
    .where("gas_tank_id", "=", gasTankId)
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  return BigInt(balance) - BigInt(kept);
}

/**
 * Writes down what a relay has cost, and takes it out of the tank: both or
 * nothing, and only once.
 */
export async function bookReceipt(
  database: Kysely<Tables>,
  id: number,
  receipt: TransactionReceipt,
): Promise<void> {
  const { effectiveGasPrice, gasUsed, status } = receipt;
  const cost = gasUsed * effectiveGasPrice;
  const dataFee = dataFeeOf(receipt);
  await database.transaction().execute(async (transaction) => {
    const booked = await transaction
      .updateTable("relays")
      .set({
        state: status === "success" ? "done" : "reverted",
        gas_used: gasUsed.toString(),
        cost: cost.toString(),
        data_fee: dataFee === 0n ? null : dataFee.toString(),
        settled_at: sql<Date>`now()`,
      })
      .where("id", "=", id)
      .where("state", "=", "pending")
      .returning("gas_tank_id")
      .executeTakeFirst();
    if (booked === undefined) return;
    await transaction
      .updateTable("gas_tanks")
      .set({
        balance: sql<string>`balance - ${(cost + dataFee).toString()}::numeric`,
        updated_at: sql<Date>`now()`,
      })
      .where("id", "=", booked.gas_tank_id)
      .execute();
  });
}

/** A row as callers see it. */
export function toRelay(row: Selectable<RelayTable>): Relay {
  const { id, state, transaction_hash: hash, gas_used: gasUsed } = row;
  const { cost, data_fee: dataFee } = row;
  if (!isHash(hash)) throw new Error(`relay ${id} has the hash ${hash}`);
  return {
    id,
    status: state,
    transactionHash: hash,
    ...(gasUsed !== null && { gasUsed }),
    ...(cost !== null && {
      cost: (BigInt(cost) + BigInt(dataFee ?? 0)).toString(),
    }),
  };
}
