import { sql } from "kysely";
import { getAddress, type Hex, parseTransaction } from "viem";

import type { Database, Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { pushNext, takeNonce } from "./account-nonces.js";
import {
  chooseReplacement,
  type Findings,
  type KnownTransaction,
} from "./next-step.js";
import {
  explainLimit,
  isTooLow,
  type Market,
  type Price,
  priceOf,
  raisePrice,
  readMarket,
} from "./price.js";
import type { AccountPlace } from "./relay-account.js";
import { reserveGas } from "./relays.js";
import { send, sign, type Work } from "./sign-transaction.js";
import {
  changeRelay,
  type RelayRow,
  type StoredRelay,
  type TransactionRow,
} from "./stored-relay.js";

/** A relay to send. */
export interface Sending {
  readonly database: Database;
  readonly network: Network;
  /** The accounts that can sign. The first one sends new transactions. */
  readonly accounts: readonly AccountPlace[];
  readonly relay: StoredRelay;
}

/** A signed transaction to send, or the reason why there is none. */
type Signed =
  | { readonly transaction: Hex }
  | { readonly reason: string }
  /** Another instance has changed the relay. */
  | null;

/**
 * Sends a relay's first transaction, or one with a new nonce after the last one
 * was canceled or lost. The transaction is stored before it is sent.
 *
 * Input: the number of transactions that the account has on the chain.
 * Returns "sent", or the reason why the relay has to wait.
 * Errors: any error from viem.
 */
export async function sendFirst(
  { database, network, accounts, relay }: Sending,
  count: number,
): Promise<string> {
  const [place] = accounts;
  if (place === undefined) return "there is no relaying account";
  const { row } = relay;
  const market = await readMarket(network);
  const { price } = market;
  const excess = explainLimit(price, market);
  if (excess !== null) return excess;
  const balance = await network.client().getBalance(place.account);
  const maxCost = maxCostOf(row, price);
  const signed = await changeRelay<Signed>(
    database,
    relay,
    async (transaction) => {
      const nonce = await takeNonce(transaction, place, count);
      const reserved = await readReserved(transaction, place, count);
      if (balance < reserved + maxCost) {
        return { reason: "the account's balance is too low" };
      }
      if (!(await reserve(transaction, row, market, maxCost))) {
        return { reason: "the tank's balance is too low at this gas price" };
      }
      const parts = { place, relayId: row.id, nonce, price, work: callOf(row) };
      return { transaction: await sign(transaction, parts) };
    },
  );
  return sendSigned(network, signed);
}

/**
 * Sends live transactions of a relay again, or replaces those whose price is
 * now too low or that must be canceled. If the tank cannot pay the higher price
 * or the transaction must be canceled, the replacement only uses the nonce.
 *
 * Returns "sent", or the reason why the relay has to wait.
 * Errors: any error from viem.
 */
export async function pushLive(
  sending: Sending,
  step: {
    readonly live: readonly KnownTransaction[];
    readonly isCanceled: boolean;
  },
  { counts }: Findings,
): Promise<string> {
  const { accounts, database, relay } = sending;
  let result = "sent";
  for (const each of step.live) {
    const last = relay.transactions.find(({ hash }) => hash === each.hash);
    if (last === undefined) continue;
    const place = accounts.find(
      ({ account }) => account.address.toLowerCase() === each.account,
    );
    const count = counts?.get(each.account) ?? 0;
    if (place && count < each.nonce) await pushNext(database, place, count);
    result = await sendAgain(sending, place, last, step.isCanceled);
    // The relay has changed.
    if (result !== "sent") break;
  }
  return result;
}

async function sendAgain(
  { database, network, relay }: Sending,
  place: AccountPlace | undefined,
  last: TransactionRow,
  isCanceled: boolean,
): Promise<string> {
  const market = await readMarket(network);
  const parsed = parseTransaction(last.transaction);
  const chosen = chooseReplacement({
    isCancel: (parsed.data ?? "0x") === "0x",
    isCanceled,
    isTooLow: isTooLow(priceOf(parsed), market),
  });
  if (chosen === "unchanged" || place === undefined) {
    await send(network, last.transaction);
    return chosen === "unchanged"
      ? "sent"
      : `OLD_RELAY_KEY is not the key of ${last.account}, which must replace its transaction`;
  }
  const price = raisePrice(priceOf(parsed), market);
  const excess = explainLimit(price, market);
  if (excess !== null) return excess;
  const { row } = relay;
  const { account } = place;
  const to = account.address;
  const gas = await network.client().estimateGas({ account, to });
  const nonce = last.account_nonce;
  const signed = await changeRelay<Signed>(
    database,
    relay,
    async (transaction) => {
      const isPaid =
        chosen === "call" &&
        (await reserve(transaction, row, market, maxCostOf(row, price)));
      const work = isPaid ? callOf(row) : ({ to, data: "0x", gas } as const);
      const parts = { place, relayId: row.id, nonce, price, work };
      return { transaction: await sign(transaction, parts) };
    },
  );
  return sendSigned(network, signed);
}

async function sendSigned(network: Network, signed: Signed): Promise<string> {
  if (signed === null) return "another instance has sent it";
  if ("reason" in signed) return signed.reason;
  await send(network, signed.transaction);
  return "sent";
}

function callOf({ wallet, forwarder, data, gas }: RelayRow): Work {
  return { to: getAddress(forwarder ?? wallet), data, gas: BigInt(gas) };
}

function maxCostOf(row: RelayRow, { max }: Pick<Price, "max">): bigint {
  return BigInt(row.gas) * max + BigInt(row.max_data_fee);
}

/**
 * Replaces the reserved amount of a relay with its current maximum cost. At a
 * price above a quarter of the network's limit, a relay may reserve at most four
 * times what it reserved when it was accepted.
 *
 * Returns false, without changing anything, if that is not enough or the
 * tank's balance is too low.
 */
async function reserve(
  transaction: Transaction,
  row: RelayRow,
  { limit }: Pick<Market, "limit">,
  maxCost: bigint,
): Promise<boolean> {
  const usual = maxCostOf(row, { max: limit / 4n });
  const most = 4n * BigInt(row.first_max_cost ?? row.max_cost);
  if (maxCost > usual && maxCost > most) return false;
  return reserveGas(transaction, row, maxCost);
}

/**
 * Returns the total maximum cost of the relays whose transactions from the
 * account are not on the chain yet.
 */
async function readReserved(
  transaction: Transaction,
  { account, network }: AccountPlace,
  count: number,
): Promise<bigint> {
  const { reserved } = await transaction
    .selectFrom("relays")
    .select(sql<string>`coalesce(sum(max_cost), 0)`.as("reserved"))
    .where("state", "=", "pending")
    .where("id", "in", (query) =>
      query
        .selectFrom("relay_transactions")
        .select("relay_id")
        .where("chain_id", "=", network.chainId)
        .where("account", "=", account.address.toLowerCase())
        .where("account_nonce", ">=", count),
    )
    .executeTakeFirstOrThrow();
  return BigInt(reserved);
}
