import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Address, Hex } from "viem";

import type { Tables } from "../database/schema.js";
import type { RelayState, RelayTable } from "../database/tables/relaying.js";
import type { WalletCall } from "./wallet-call.js";

/** What is to be relayed, and for whom. */
export interface RelayRequest {
  readonly projectId: number;
  readonly call: WalletCall;
  /** What the owner of the wallet has signed. */
  readonly hash: Hex;
  /** Checks the signature, and makes the call; null: the wallet does. */
  readonly forwarder: Address | null;
  /** What a transaction to the forwarder, or else to the wallet, carries. */
  readonly data: Hex;
}

/** A call that is relayed, as callers see it. */
export interface Relay {
  readonly id: number;
  readonly status: RelayState;
  /**
   * The transaction on the chain. Until there is a receipt, it is the last one
   * sent, which another one may replace; absent before one is sent.
   */
  readonly transactionHash?: Hex;
  /** Once it is settled. */
  readonly gasUsed?: string;
  /** What was taken out of the gas tank, once it is settled. */
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
 * The relay of a call, or of another one that is pending with its nonce; null
 * when there is neither. What is done already, the wallet itself does not do
 * again.
 */
export async function findKnownCall(
  database: Kysely<Tables>,
  chainId: number,
  { projectId, call, hash, forwarder }: RelayRequest,
): Promise<KnownCall | null> {
  const rows = await database
    .selectFrom("relays")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("wallet", "=", call.wallet.toLowerCase())
    .where("wallet_nonce", "=", call.nonce.toString())
    .where(
      "forwarder",
      "is not distinct from",
      forwarder?.toLowerCase() ?? null,
    )
    // Others have left the nonce as it was.
    .where("state", "in", ["pending", "done"])
    .execute();
  const same = rows.find(
    (row) => row.call_hash === hash && row.project_id === projectId,
  );
  if (same !== undefined) return { relay: toRelay(same), isSame: true };
  const rival = rows.find(({ state }) => state === "pending");
  return rival === undefined ? null : { relay: toRelay(rival), isSame: false };
}

/**
 * How much of a tank is not reserved; the tank stays locked until the end of the
 * transaction.
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
  const { reserved } = await transaction
    .selectFrom("relays")
    .select(sql<string>`coalesce(sum(max_cost), 0)`.as("reserved"))
    .where("gas_tank_id", "=", gasTankId)
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  return BigInt(balance) - BigInt(reserved);
}

/**
 * Reserves what a pending relay can cost by now, in place of what was reserved
 * before.
 *
 * Output: false when the tank has too little; then nothing has changed.
 */
export async function reserveGas(
  transaction: Transaction<Tables>,
  { id, gas_tank_id: gasTankId, max_cost: before }: Selectable<RelayTable>,
  maxCost: bigint,
): Promise<boolean> {
  const free = await readFreeGas(transaction, gasTankId);
  if (free + BigInt(before) < maxCost) return false;
  await transaction
    .updateTable("relays")
    .set({ max_cost: maxCost.toString() })
    .where("id", "=", id)
    .execute();
  return true;
}

/** What the chain says of a relay, by all receipts of its transactions. */
export interface Standing {
  readonly state: RelayState;
  readonly hash: Hex | null;
  readonly gasUsed: bigint;
  readonly cost: bigint;
  readonly blockNumber: number | null;
}

/**
 * Writes down how a relay stands, and has the tank pay or get back what that
 * differs from before: both or nothing.
 */
export async function book(
  database: Kysely<Tables>,
  id: number,
  { state, hash, gasUsed, cost, blockNumber }: Standing,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom("relays")
      .select(["cost", "gas_tank_id"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable("relays")
      .set({
        state,
        transaction_hash: hash,
        gas_used: gasUsed.toString(),
        cost: cost.toString(),
        block_number: blockNumber,
        settled_at: state === "pending" ? null : sql<Date>`now()`,
      })
      .where("id", "=", id)
      .execute();
    const difference = cost - BigInt(before.cost);
    if (difference === 0n) return;
    await transaction
      .updateTable("gas_tanks")
      .set({
        balance: sql<string>`balance - ${difference.toString()}::numeric`,
        updated_at: sql<Date>`now()`,
      })
      .where("id", "=", before.gas_tank_id)
      .execute();
  });
}

/** A row as callers see it. */
export function toRelay(row: Selectable<RelayTable>): Relay {
  const { id, state, transaction_hash: hash, gas_used: gasUsed, cost } = row;
  return {
    id,
    status: state,
    ...(hash !== null && { transactionHash: hash }),
    ...(state !== "pending" && gasUsed !== null && { gasUsed, cost }),
  };
}
