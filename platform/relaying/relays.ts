import type { Address, Hex } from "viem";

import { InvalidArgumentError } from "../../generated/errors.js";
import type { Database, Row } from "../database/schema.js";
import type { Network } from "../network/networks.js";
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
    // Transactions of reverted and expired relays have not used the nonce.
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

/** Converts a row to the relay that callers receive. */
export function toRelay(row: Row<"relays">): Relay {
  const { id, state, transaction_hash: hash, gas_used: gasUsed, cost } = row;
  return {
    id,
    status: state,
    ...(hash !== null && { transactionHash: hash }),
    ...(state !== "pending" && gasUsed !== null && { gasUsed, cost }),
    ...(row.nonce_used && { nonceUsed: true }),
  };
}
