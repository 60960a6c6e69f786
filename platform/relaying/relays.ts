import { sql } from "kysely";
import type { Address, Hex } from "viem";

import { InvalidArgumentError } from "../../generated/errors.js";
import type { Database, Row, Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readFreeGas } from "../services/relayer/gas-tanks.js";
import type { Evidence } from "./evidence/evidence.js";
import type { Relay } from "./generated/types.js";
import type { WalletCall } from "./wallet-call.js";

/** A call to relay. */
export interface SignedCall {
  readonly projectId: number;
  readonly call: WalletCall;
  /** The hash that the wallet's owner signed. */
  readonly hash: Hex;
  /**
   * The contract that verifies and executes the call, or null if the wallet
   * does.
   */
  readonly forwarder: Address | null;
  /** The data of the transaction to the forwarder or the wallet. */
  readonly data: Hex;
  /** The ID of the request, or null if it has none. */
  readonly requestId: string | null;
}

/** Returns a project's relay by ID, or null if there is none. */
export async function findRelay(
  database: Database,
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

/**
 * Returns the project's relay of the same call, or null if there is none. The
 * wallet itself rejects a call that it has already executed.
 *
 * Errors: `InvalidArgument` if another call with its nonce is pending.
 */
export async function findRepeated(
  database: Database,
  { chainId }: Pick<Network, "chainId">,
  { projectId, call, hash, forwarder }: SignedCall,
): Promise<Relay | null> {
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
    // Reverted and expired relays have not used the nonce.
    .where("state", "in", ["pending", "done"])
    .execute();
  const same = rows.find(
    (row) => row.call_hash === hash && row.project_id === projectId,
  );
  if (same !== undefined) return toRelay(same);
  if (!rows.some(({ state }) => state === "pending")) return null;
  const cause = `nonce: another call with the nonce ${call.nonce} is pending`;
  throw new InvalidArgumentError({ cause });
}

/**
 * Replaces the reserved amount of a pending relay with its current maximum
 * cost.
 *
 * Returns null, or why it may not be reserved: the tank's balance is too low, or
 * the sponsor has reached its limit for 24 hours. Then, nothing changes.
 */
export async function reserveGas(
  transaction: Transaction,
  row: Row<"relays">,
  { value: maxCost }: Evidence<bigint>,
): Promise<string | null> {
  const { id, gas_tank_id: gasTankId, max_cost: before } = row;
  const free = await readFreeGas(transaction, gasTankId);
  if (free + BigInt(before) < maxCost) {
    return "the tank's balance is too low at this gas price";
  }
  const { dailyLimit } = await transaction
    .selectFrom("gas_sponsors")
    .select("daily_limit as dailyLimit")
    .where("id", "=", row.gas_sponsor_id)
    .executeTakeFirstOrThrow();
  if (dailyLimit !== null) {
    const spent = await readSpent(transaction, {
      ...{ gasTankId, sponsorId: row.gas_sponsor_id },
    });
    if (spent - BigInt(before) + maxCost > BigInt(dailyLimit)) {
      return "the sponsor has reached its limit for 24 hours";
    }
  }
  await transaction
    .updateTable("relays")
    .set({ max_cost: maxCost.toString() })
    .where("id", "=", id)
    .execute();
  return null;
}

/**
 * Selects the relays of some tanks that count toward the limits of sponsors: what
 * was paid in the last 24 hours, and what pending relays can still cost.
 */
export function countedRelays(tankIds: readonly number[]) {
  return sql`
    select gas_tank_id, gas_sponsor_id, cost + max_cost as amount,
      max_cost as reserved
    from relays
    where gas_tank_id = any(${tankIds}::bigint[]) and state = 'pending'
    union all
    select gas_tank_id, gas_sponsor_id, cost, 0 from relays
    where gas_tank_id = any(${tankIds}::bigint[]) and state <> 'pending'
      and cost > 0
      and coalesce(settled_at, created_at) > now() - interval '1 day'`;
}

/**
 * Returns what a sponsor has paid in the last 24 hours and can still pay for its
 * pending relays. The tank must be locked. Triggers sum up what was paid in each
 * five minutes, so at most the relays of the first five are read.
 */
export async function readSpent(
  transaction: Transaction,
  {
    gasTankId,
    sponsorId,
  }: { readonly gasTankId: number; readonly sponsorId: number },
): Promise<bigint> {
  const { rows } = await sql<{ readonly spent: string }>`
    with since (at, slot) as (
      select day, slot_of_spending(day) from (select now() - interval '1 day') as _ (day)
    ), counted (amount) as (
      select cost + max_cost from relays
      where gas_tank_id = ${gasTankId} and gas_sponsor_id = ${sponsorId}
        and state = 'pending'
      union all
      select amount from sponsor_spending, since
      where gas_sponsor_id = ${sponsorId} and sponsor_spending.slot > since.slot
      union all
      select cost from relays, since
      where gas_tank_id = ${gasTankId} and gas_sponsor_id = ${sponsorId}
        and state <> 'pending' and cost > 0
        and coalesce(settled_at, created_at) > since.at
        and coalesce(settled_at, created_at) < to_timestamp((since.slot + 1) * 300)
    )
    select coalesce(sum(amount), 0)::text as spent from counted
  `.execute(transaction);
  return BigInt(rows[0]?.spent ?? 0);
}

/** Converts a row to the relay that callers receive. */
export function toRelay(row: Row<"relays">): Relay {
  const { id, state, transaction_hash: hash, gas_used: gasUsed, cost } = row;
  return {
    id,
    status: state,
    ...(hash !== null && { transactionHash: hash }),
    ...(state !== "pending" && gasUsed !== null && { gasUsed, cost }),
  };
}
