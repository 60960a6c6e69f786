import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import {
  type Address,
  BaseError,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  RpcRequestError,
} from "viem";

import type { Tables } from "../database/schema.js";
import {
  type AccountPlace,
  lockUntilEnd,
  takeNonce,
} from "./account-nonces.js";
import {
  isTooLow,
  type Price,
  priceOf,
  raisePrice,
  readMarket,
} from "./price.js";
import { reserveGas } from "./relays.js";
import type {
  RelayTable,
  RelayTransactionTable,
} from "../database/tables/relaying.js";

/** A stored relay. */
export type RelayRow = Selectable<RelayTable>;
/** A stored transaction of a relay. */
export type TransactionRow = Selectable<RelayTransactionTable>;

/** A relay to send, with its account and network. */
export interface Sending {
  readonly database: Kysely<Tables>;
  readonly place: AccountPlace;
  readonly row: RelayRow;
}

/** The effect of a transaction, without its price. */
interface Work {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/**
 * Sends a relay's first transaction, or one with a new nonce after the last one
 * was canceled or lost. The transaction is stored before it is sent.
 *
 * Input: the number of transactions that the account has on the chain, and the
 * number of the relay's stored transactions on which the decision to send
 * another one is based.
 * Returns the reason why the relay has to wait, or null if it was sent.
 * Errors: any error from viem.
 */
export async function sendFirst(
  { database, place, row }: Sending,
  count: number,
  knownCount: number,
): Promise<string | null> {
  const { account, network } = place;
  const client = network.client();
  const { price } = await readMarket(client);
  const balance = await client.getBalance(account);
  const maxCost = maxCostOf(row, price);
  const signed = await database.transaction().execute(async (transaction) => {
    // If this instance was suspended, another one may have taken over.
    await lockUntilEnd(transaction, `relay ${row.id}`);
    const storedCount = await countTransactions(transaction, row);
    if (storedCount !== knownCount) return "another instance has sent it";
    const nonce = await takeNonce(transaction, place, count);
    const reserved = await readReserved(transaction, place, count);
    if (balance < reserved + maxCost) return "the account's balance is too low";
    const isPaid = await reserveGas(transaction, row, maxCost);
    if (!isPaid) return "the tank's balance is too low at this gas price";
    const work = callOf(row);
    return sign(transaction, { place, row, nonce, price, work });
  });
  if (typeof signed === "string") return signed;
  await send(place, signed.transaction);
  return null;
}

async function countTransactions(
  transaction: Transaction<Tables>,
  { id }: RelayRow,
): Promise<number> {
  const { count } = await transaction
    .selectFrom("relay_transactions")
    .select(sql<number>`count(*)`.as("count"))
    .where("relay_id", "=", id)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Resends a transaction of a relay, or replaces it if its price is now too low
 * or it must be canceled. If the tank cannot pay the higher price or the
 * transaction must be canceled, the replacement only uses the nonce.
 *
 * Input: `last` is the last transaction with its nonce. `isLate` determines
 * whether to cancel it, e.g. because the deadline has passed.
 * Errors: any error from viem.
 */
export async function sendAgain(
  { database, place, row }: Sending,
  last: TransactionRow,
  isLate: boolean,
): Promise<void> {
  const { account, network } = place;
  const client = network.client();
  const parsed = parseTransaction(last.transaction);
  const market = await readMarket(client);
  const wasCancelled = isCancel(last);
  const isCancelled = wasCancelled || isLate;
  const isStuck = isTooLow(priceOf(parsed), market);
  // If the relaying account has changed, the old account's transaction can only
  // be resent unchanged.
  const isOurs = last.account === account.address.toLowerCase();
  if (!isOurs || (!isStuck && isCancelled === wasCancelled)) {
    return send(place, last.transaction);
  }
  const price = raisePrice(priceOf(parsed), market);
  const to = account.address;
  const gas = await client.estimateGas({ account, to });
  const nonce = last.account_nonce;
  const signed = await database.transaction().execute(async (transaction) => {
    const isPaid =
      !isCancelled &&
      (await reserveGas(transaction, row, maxCostOf(row, price)));
    const work = isPaid ? callOf(row) : ({ to, data: "0x", gas } as const);
    return sign(transaction, { place, row, nonce, price, work });
  });
  await send(place, signed.transaction);
}

/** Returns whether a transaction has no effect other than using its nonce. */
export function isCancel({ transaction }: TransactionRow): boolean {
  return (parseTransaction(transaction).data ?? "0x") === "0x";
}

function callOf({ wallet, forwarder, data, gas }: RelayRow): Work {
  return { to: getAddress(forwarder ?? wallet), data, gas: BigInt(gas) };
}

function maxCostOf(row: RelayRow, { max }: Price): bigint {
  return BigInt(row.gas) * max + BigInt(row.max_data_fee);
}

/**
 * Returns the total maximum cost of the relays whose transactions from the
 * account are not on the chain yet.
 */
async function readReserved(
  transaction: Transaction<Tables>,
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

/** The parts of a transaction. */
interface Parts {
  readonly place: AccountPlace;
  readonly row: RelayRow;
  readonly nonce: number;
  readonly price: Price;
  readonly work: Work;
}

async function sign(
  database: Transaction<Tables>,
  { place, row, nonce, price, work }: Parts,
): Promise<TransactionRow> {
  const { account, network } = place;
  const { chainId } = network;
  const transaction = await account.signTransaction({
    ...price.fields,
    ...work,
    chainId,
    nonce,
  });
  const hash = keccak256(transaction);
  await database
    .updateTable("relays")
    .set({ transaction_hash: hash })
    .where("id", "=", row.id)
    .execute();
  return database
    .insertInto("relay_transactions")
    .values({
      hash,
      relay_id: row.id,
      chain_id: chainId,
      account: account.address.toLowerCase(),
      account_nonce: nonce,
      transaction,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Sends a transaction. Ignores errors that the node reports, e.g. that it
 * already has the transaction, because the worker checks the receipt later.
 */
async function send(
  { network }: AccountPlace,
  serializedTransaction: Hex,
): Promise<void> {
  try {
    await network.client().sendRawTransaction({ serializedTransaction });
  } catch (error) {
    const isAnswer =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof RpcRequestError) !== null;
    if (!isAnswer) throw error;
  }
}
