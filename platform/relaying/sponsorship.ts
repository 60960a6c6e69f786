import { type Kysely } from "kysely";
import { keccak256 } from "viem";

import type { Tables } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readChain } from "../network/read-chain.js";
import type { RelayRequest } from "./relays.js";

/** What every `SmartWallet` has for code. */
export const walletCodeHash =
  "0x56317335118162a192c748ed31dce160ff293f1e06bbe7ea1ebe6b9c4393eda2";

/** Who pays for a call. */
export interface Sponsor {
  readonly id: number;
  readonly gasTankId: number;
}

/**
 * The addresses of which one has to be sponsored for a call to be relayed: its
 * wallet, all of whose transactions are; what it calls, if that is a contract or
 * the call nothing but a transfer.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function sponsorableAddresses(
  network: Network,
  { call: { wallet, to, data }, forwarder }: RelayRequest,
): Promise<readonly string[]> {
  const [walletCode, code] = await Promise.all(
    [wallet, to].map((address) =>
      readChain(network, (client) => client.getCode({ address })),
    ),
  );
  const own = [wallet.toLowerCase()];
  // Other contracts may do what they like, and call it a call.
  const isKnown =
    forwarder !== null ||
    (typeof walletCode === "string" &&
      keccak256(walletCode) === walletCodeHash);
  const isTransfer = data === "0x";
  const isContract = typeof code === "string";
  return isKnown && (isContract || isTransfer)
    ? [...own, to.toLowerCase()]
    : own;
}

/** The project's sponsor of one of some addresses on a chain; null: none. */
export async function findSponsor(
  database: Kysely<Tables>,
  place: { readonly projectId: number; readonly chainId: number },
  addresses: readonly string[],
): Promise<Sponsor | null> {
  const row = await database
    .selectFrom("gas_sponsors")
    .select(["id", "gas_tank_id as gasTankId"])
    .where("project_id", "=", place.projectId)
    .where("chain_id", "=", place.chainId)
    .where("address", "in", addresses)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(1)
    // Whoever takes it away waits until the call is stored, or is seen here.
    .forShare()
    .executeTakeFirst();
  return row ?? null;
}
