import { sql } from "kysely";
import { parseTransaction } from "viem";

import { ageMs } from "../database/age.js";
import { lockName } from "../database/locks.js";
import { readInPieces } from "../database/pieces.js";
import type { Database, Row, Transaction } from "../database/schema.js";
import { wakeJob } from "../queue/enqueue.js";
import { relayQueue } from "../services/relayer/relay-queue.js";
import {
  chooseNonce,
  type Evidence,
  maxCostOf,
  maxGas,
  noncesBefore,
  offerPrice,
} from "./evidence/evidence.js";
import {
  explainFillerLimit,
  type FillerLimits,
  readFillerCosts,
} from "./filler-budget.js";
import {
  isTooLow,
  type Market,
  noPrice,
  priceOf,
  tooExpensive,
} from "./evidence/price.js";
import { noGas, readEmptyGas, readMarket } from "./evidence/read-market.js";
import { readReport } from "./ask-nodes.js";
import { isStuck } from "./next-step.js";
import type { AccountPlace } from "./relay-account.js";
import { estimateRollupFees } from "./evidence/rollup-fees.js";
import { send, sign } from "./sign-transaction.js";
import { limitsOf } from "./stored-relay.js";

/**
 * Reads one more than the highest nonce that each account has signed on a chain.
 */
export async function readSigned(
  database: Database,
  chainId: number,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    readonly account: string;
    readonly signed: number;
  }>`
    select account, coalesce((
      select max(account_nonce) + 1 from relay_transactions
      where chain_id = ${chainId} and account = names.account
    ), 0) as signed
    from unnest(${accounts}::text[]) as names (account)`.execute(database);
  return new Map(rows.map(({ account, signed }) => [account, signed]));
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
  count: Evidence<number>,
): Promise<Evidence<number>> {
  await lockAccount(transaction, place);
  const rows = await readInPieces<
    Pick<Row<"relay_transactions">, "account_nonce">
  >((last, limit) =>
    selectFrom(transaction, place)
      .select("account_nonce")
      .distinct()
      .where("account_nonce", ">=", count.value)
      .where("account_nonce", ">", last?.account_nonce ?? -1)
      .orderBy("account_nonce")
      .limit(limit)
      .execute(),
  );
  const { lowest } = await selectFrom(transaction, place)
    .select(({ fn }) => fn.min<number | null>("account_nonce").as("lowest"))
    .executeTakeFirstOrThrow();
  const taken = new Set(rows.map((row) => row.account_nonce));
  return chooseNonce(count, lowest, taken);
}

/** Transactions to send before another one of the account can be mined. */
interface Gap {
  /** The number of transactions that the account has on the chain. */
  readonly count: Evidence<number>;
  /** The nonce that waits. */
  readonly nonce: number;
  readonly head: Evidence<number>;
  readonly limits: FillerLimits;
}

/** Why a nonce of an account is not filled. */
interface Unfilled {
  readonly reason: string;
  /** Whether no node accepts the filler. Otherwise, the platform sends none. */
  readonly isRejected: boolean;
}

/**
 * Handles the transaction that blocks all later ones of the account. If it
 * belongs to a relay, makes the relay due immediately. Otherwise, the chain has
 * lost the transaction, so this replaces it with a transaction without effect.
 * Also fills the gaps that follow, so that a long one does not take a block for
 * each nonce. The platform pays for these transactions, within limits. A filler
 * that no node accepts does not stop the others.
 *
 * Returns the first reason why a nonce cannot be filled, or null.
 * Errors: any error from viem.
 */
export async function pushNext(
  database: Database,
  place: AccountPlace,
  gap: Gap,
): Promise<Unfilled | null> {
  const nonces = noncesBefore(gap.count, gap.nonce, gap.limits.nonces);
  const rows = await selectFrom(database, place)
    .select("account_nonce")
    .where("account_nonce", ">=", gap.count.value)
    .where("account_nonce", "<", gap.count.value + nonces.length)
    .execute();
  const stored = new Set(rows.map((row) => row.account_nonce));
  const market = await readMarket(place.network);
  if (market === null) return { reason: noPrice, isRejected: false };
  let first: Unfilled | null = null;
  for (const nonce of nonces) {
    if (nonce.value !== gap.count.value && stored.has(nonce.value)) continue;
    const unfilled = await pushNonce(database, place, gap, market, nonce);
    first ??= unfilled;
    if (unfilled?.isRejected === false) return unfilled;
  }
  return first;
}

async function pushNonce(
  database: Database,
  place: AccountPlace,
  { count, head, limits }: Gap,
  market: Evidence<Market>,
  nonce: Evidence<number>,
): Promise<Unfilled | null> {
  const { account, network } = place;
  if (await isLagging(database, place, nonce.value)) return null;
  const to = account.address;
  const gas = await readEmptyGas(network, account);
  const dataFee = await estimateRollupFees(network, {
    ...{ ...market.value.price.fields, chainId: network.chainId },
    ...{ nonce: nonce.value, to, gas: gas?.value ?? maxGas },
  });
  const filler = await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, place);
    const last = await selectFrom(transaction, place)
      .leftJoin("relays", "relays.id", "relay_transactions.relay_id")
      .select(["relay_id", "is_final", "transaction"])
      .select("signed_at_block as signedAt")
      .select(ageMs("relay_transactions.created_at").as("signedMs"))
      .where("account_nonce", "=", nonce.value)
      .orderBy("relay_transactions.created_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined && last.is_final === false) {
      // Its tank may not be able to pay, but other relays wait for its nonce.
      await wakeJob(transaction, relayQueue, String(last.relay_id), "");
      return null;
    }
    const old = last ? priceOf(parseTransaction(last.transaction)) : null;
    const known = last && { ...last, nonce: nonce.value };
    const stuck = known !== undefined && isStuck(known, count, head);
    // A transaction of a final relay was lost, and must not be sent again.
    const sent = last?.relay_id === null ? last.transaction : null;
    if (sent && old && !stuck && !isTooLow(old, market.value)) {
      return { reason: null, transaction: sent };
    }
    const keep = (reason: string) => ({ reason, transaction: sent });
    const price = offerPrice(market, old, stuck);
    if (price === null) return keep(tooExpensive);
    if (gas === null) return keep(noGas);
    const { value: cost } = maxCostOf(gas, price, dataFee);
    const costs = await readFillerCosts(transaction, place);
    const added = { nonce: nonce.value, cost };
    const reason = explainFillerLimit(limits, costs, added);
    if (reason !== null) return keep(reason);
    const work = { to, data: "0x", gas } as const;
    const paid = { dataFee, maxCharge: null, head };
    const parts = { place, relayId: null, nonce, price, work, ...paid };
    return { reason: null, transaction: await sign(transaction, parts) };
  });
  if (filler === null) return null;
  const { reason } = filler;
  const rejection =
    filler.transaction && (await send(network, filler.transaction));
  if (reason !== null) return { reason, isRejected: false };
  if (rejection === null) return null;
  const which = `the nonce ${nonce.value} before it is not filled`;
  return { reason: `${which}: ${rejection}`, isRejected: true };
}

/**
 * Returns whether a nonce was used by a final transaction that nodes still have,
 * so that their count lags behind.
 */
async function isLagging(
  database: Database,
  place: AccountPlace,
  nonce: number,
): Promise<boolean> {
  const rows = await selectFrom(database, place)
    .select(["hash", "transaction", "max_charge"])
    .where("account_nonce", "=", nonce)
    .where("cost", "is not", null)
    .execute();
  if (rows.length === 0) return false;
  const transactions = rows.map((row) => ({
    ...{ hash: row.hash, account: place.account.address.toLowerCase(), nonce },
    limits: limitsOf(row, { max_data_fee: "0" }),
  }));
  const subject = { signed: new Map<string, number>(), transactions };
  const { doubts, receipts } = await readReport(place.network, subject);
  return doubts.size > 0 || receipts.size > 0;
}

/** Locks an account until the end of the transaction. */
export async function lockAccount(
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
