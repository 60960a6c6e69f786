import { type Kysely, sql, type Transaction } from "kysely";
import type { LocalAccount } from "viem";

import type { Tables } from "../database/schema.js";
import type { RelayState } from "../database/tables/relaying.js";
import type { Network } from "../network/networks.js";
import { wakeJob } from "../queue/enqueue.js";
import { readMarket } from "./price.js";

/** A relaying account and its network. */
export interface AccountPlace {
  readonly network: Network;
  readonly account: LocalAccount;
}

/** The queue of relays that are not final. */
export const relayQueue = "relays";

/**
 * Returns the lane of a relay in the queue. Each network has its own lanes, so
 * that a network that does not respond does not delay the others. Relays that
 * only wait to become final do not delay pending ones.
 */
export function laneOf(chainId: number, state: RelayState): string {
  return state === "pending" ? `${chainId}` : `${chainId} settled`;
}

/**
 * Returns the account's lowest unused nonce. Locks the account until the end of
 * the transaction, so that no other instance gets the same nonce.
 *
 * Input: the number of transactions that the account has on the chain.
 */
export async function takeNonce(
  transaction: Transaction<Tables>,
  place: AccountPlace,
  count: number,
): Promise<number> {
  const { account, network } = place;
  await lockUntilEnd(
    transaction,
    `relays of ${account.address} on ${network.chainId}`,
  );
  const rows = await selectFrom(transaction, place)
    .select("account_nonce")
    .where("account_nonce", ">=", count)
    .execute();
  const taken = new Set(rows.map((row) => row.account_nonce));
  let nonce = count;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}

/** Acquires a named lock until the transaction ends. */
export async function lockUntilEnd(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(
    transaction,
  );
}

/**
 * Handles the transaction that blocks all later ones of the account. If it
 * belongs to a relay, makes the relay due immediately. Otherwise, the chain has
 * lost the transaction, so this replaces it with a transaction without effect.
 *
 * Input: the nonce of that transaction.
 * Errors: any error from viem.
 */
export async function pushNext(
  database: Kysely<Tables>,
  place: AccountPlace,
  nonce: number,
): Promise<void> {
  const holder = await selectFrom(database, place)
    .innerJoin("relays", "relays.id", "relay_transactions.relay_id")
    .select("relay_id")
    .where("account_nonce", "=", nonce)
    .where("is_final", "=", false)
    .executeTakeFirst();
  if (holder !== undefined) {
    return wakeJob(database, relayQueue, String(holder.relay_id));
  }
  const { account, network } = place;
  const client = network.client();
  const { price } = await readMarket(client);
  const serializedTransaction = await account.signTransaction({
    ...price.fields,
    chainId: network.chainId,
    nonce,
    to: account.address,
    gas: await client.estimateGas({ account, to: account.address }),
  });
  await client.sendRawTransaction({ serializedTransaction });
}

function selectFrom(
  database: Kysely<Tables>,
  { account, network }: AccountPlace,
) {
  return database
    .selectFrom("relay_transactions")
    .where("relay_transactions.chain_id", "=", network.chainId)
    .where("account", "=", account.address.toLowerCase());
}
