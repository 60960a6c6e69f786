import { parseTransaction } from "viem";

import { lockName } from "../database/locks.js";
import type { Database, Row, Transaction } from "../database/schema.js";
import { wakeJob } from "../queue/enqueue.js";
import { lowestFreeNonce } from "./next-step.js";
import {
  explainLimit,
  isTooLow,
  priceOf,
  raisePrice,
  readMarket,
} from "./price.js";
import type { AccountPlace } from "./relay-account.js";
import { send, sign } from "./sign-transaction.js";

/** The queue of relays that are not final. */
export const relayQueue = "relays";

/**
 * Returns the lane of a relay in the queue. Each project has its own lanes on
 * each network, so that neither other projects nor a network that does not
 * respond delay it. Relays that only wait to become final do not delay pending
 * ones.
 */
export function laneOf(
  relay: Pick<Row<"relays">, "chain_id" | "project_id" | "state">,
): string {
  const lane = `${relay.chain_id} ${relay.project_id}`;
  return relay.state === "pending" ? lane : `${lane} settled`;
}

/**
 * Returns the account's lowest unused nonce. Locks the account until the end of
 * the transaction, so that no other instance gets the same nonce.
 *
 * Input: the number of transactions that the account has on the chain.
 */
export async function takeNonce(
  transaction: Transaction,
  place: AccountPlace,
  count: number,
): Promise<number> {
  await lockAccount(transaction, place);
  const rows = await selectFrom(transaction, place)
    .select("account_nonce")
    .where("account_nonce", ">=", count)
    .execute();
  return lowestFreeNonce(count, new Set(rows.map((row) => row.account_nonce)));
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
  database: Database,
  place: AccountPlace,
  nonce: number,
): Promise<void> {
  const { account, network } = place;
  const to = account.address;
  const market = await readMarket(network);
  const gas = await network.client().estimateGas({ account, to });
  const filler = await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, place);
    const [last] = await selectFrom(transaction, place)
      .leftJoin("relays", "relays.id", "relay_transactions.relay_id")
      .select(["relay_id", "is_final", "transaction"])
      .where("account_nonce", "=", nonce)
      .orderBy("relay_transactions.created_at", "desc")
      .limit(1)
      .execute();
    if (last !== undefined && last.is_final === false) {
      await wakeJob(transaction, relayQueue, String(last.relay_id));
      return null;
    }
    const old = last && priceOf(parseTransaction(last.transaction));
    if (last?.relay_id === null && old && !isTooLow(old, market)) {
      return last.transaction;
    }
    const price = old ? raisePrice(old, market) : market.price;
    if (explainLimit(price, market) !== null) return null;
    const work = { to, data: "0x", gas } as const;
    return sign(transaction, { place, relayId: null, nonce, price, work });
  });
  if (filler !== null) await send(network, filler);
}

async function lockAccount(
  transaction: Transaction,
  { account, network }: AccountPlace,
): Promise<void> {
  const name = `relays of ${account.address} on ${network.chainId}`;
  await lockName(transaction, "account", name);
}

function selectFrom(database: Database, { account, network }: AccountPlace) {
  return database
    .selectFrom("relay_transactions")
    .where("relay_transactions.chain_id", "=", network.chainId)
    .where("account", "=", account.address.toLowerCase());
}
