import { sql } from "kysely";
import { getAddress, type Hex, parseTransaction } from "viem";

import type { Database, Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { lockAccount, pushNext, takeNonce } from "./account-nonces.js";
import {
  type Evidence,
  maxCostOf,
  offerPrice,
  storedCost,
  storedFee,
  storedGas,
  storedNonce,
} from "./evidence/evidence.js";
import {
  explainFillerLimit,
  type FillerLimits,
  readFillerCosts,
} from "./filler-budget.js";
import {
  chooseReplacement,
  isStuck,
  type KnownTransaction,
  type Step,
  usual,
} from "./next-step.js";
import {
  isTooLow,
  noPrice,
  type Price,
  priceOf,
  tooExpensive,
} from "./evidence/price.js";
import {
  noGas,
  readBalance,
  readEmptyGas,
  readMarket,
} from "./evidence/read-market.js";
import type { AccountPlace } from "./relay-account.js";
import { explainShortage, reserveGas } from "./reservations.js";
import { type Parts, send, sign, type Work } from "./sign-transaction.js";
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
  /** What the platform itself may pay for. */
  readonly fillers: FillerLimits;
  readonly log: Platform["log"];
}

type Push = Extract<Step, { readonly kind: "push" }>;

/** A signed transaction to send, or the reason why there is none. */
type Signed =
  | { readonly transaction: Hex }
  | { readonly reason: string }
  /** Another instance has changed the relay. */
  | null;

/** "sent", or the reason why the relay has to wait. */
interface Sent {
  /** Whether nodes were asked to accept a transaction. */
  readonly isSent: boolean;
  readonly reason: string;
}

const poorAccount = "the account's balance is too low";

/**
 * Sends a relay's first transaction, or one with a new nonce after the last one
 * was canceled or lost. The transaction is stored before it is sent.
 *
 * Returns "sent", or the reason why the relay has to wait.
 * Errors: any error from viem.
 */
export async function sendFirst(
  { database, network, accounts, relay }: Sending,
  { count, head }: Extract<Step, { readonly kind: "sign" }>,
): Promise<string> {
  const [place] = accounts;
  if (place === undefined) return "there is no relaying account";
  const { row } = relay;
  const market = await readMarket(network);
  if (market === null) return noPrice;
  const price = offerPrice(market);
  if (price === null) return tooExpensive;
  const balance = await readBalance(network, place.account);
  const maxCost = costOfCall(row, price);
  const signed = await changeRelay<Signed>(
    database,
    relay,
    async (transaction) => {
      // Relays of all projects wait for the account, so it is not locked for one
      // that cannot be sent.
      const shortage = await explainShortage(transaction, row, maxCost, market);
      if (shortage !== null) return { reason: shortage };
      const canPay = async (): Promise<boolean> => {
        const reserved = await readReserved(transaction, place, count.value);
        return balance.value >= reserved + maxCost.value;
      };
      if (!(await canPay())) return { reason: poorAccount };
      const nonce = await takeNonce(transaction, place, count);
      if (!(await canPay())) return { reason: poorAccount };
      const refusal = await reserveGas(transaction, row, maxCost, market);
      if (refusal !== null) return { reason: refusal };
      const work = callOf(row);
      const paid = { dataFee: storedFee(row), maxCharge: maxCost };
      const parts = {
        place,
        relayId: row.id,
        nonce,
        price,
        work,
        head,
        ...paid,
      };
      return { transaction: await sign(transaction, parts) };
    },
  );
  const { reason } = await sendSigned(network, signed);
  return reason;
}

/**
 * Sends live transactions of a relay again, or replaces those whose price is
 * now too low or that must be canceled. If the tank cannot pay the higher price
 * or the transaction must be canceled, the replacement only uses the nonce. A
 * transaction that cannot be replaced is sent again, unless it must be canceled.
 * Nothing is replaced while reports are in doubt.
 *
 * Returns "sent", or the reason why the relay has to wait.
 * Errors: any error from viem.
 */
export async function pushLive(sending: Sending, step: Push): Promise<string> {
  const { accounts, database, fillers: limits, log, network, relay } = sending;
  const { counts, head } = step.report;
  if (step.doubt !== null) {
    const hashes = new Set(step.live.map(({ hash }) => hash));
    for (const each of relay.transactions) {
      if (hashes.has(each.hash)) await send(network, each.transaction);
    }
    return step.doubt;
  }
  let blocked: string | null = null;
  for (const each of step.live) {
    const last = relay.transactions.find(({ hash }) => hash === each.hash);
    if (last === undefined) continue;
    const place = accounts.find(
      ({ account }) => account.address.toLowerCase() === each.account,
    );
    const count = counts.get(each.account);
    if (place && count && count.value < each.nonce) {
      const gap = { count, nonce: each.nonce, head, limits };
      const unfilled = await pushNext(database, place, gap);
      blocked ??= unfilled?.reason ?? null;
      if (unfilled?.isRejected === false) {
        const { reason } = unfilled;
        log.error({ network: network.handle, reason }, "cannot fill nonces");
      }
    }
    const { isSent, reason } = await sendAgain(
      sending,
      place,
      { each, last },
      step,
    );
    if (!isSent) return reason;
    if (reason !== "sent") blocked ??= reason;
  }
  return blocked ?? "sent";
}

/** A live transaction, as it is known and as it is stored. */
interface Live {
  readonly each: KnownTransaction;
  readonly last: TransactionRow;
}

async function sendAgain(
  sending: Sending,
  place: AccountPlace | undefined,
  live: Live,
  step: Push,
): Promise<Sent> {
  const { network } = sending;
  const signed = await replace(sending, place, live, step);
  // Nodes may have dropped it. A call that is to be canceled must stay dropped.
  const isWanted = !step.isCanceled || live.each.isCancel;
  if (signed && "reason" in signed && isWanted) {
    await send(network, live.last.transaction);
  }
  return sendSigned(network, signed);
}

/** Signs the replacement of a live transaction, or returns it unchanged. */
async function replace(
  { database, fillers, network, relay }: Sending,
  place: AccountPlace | undefined,
  { each, last }: Live,
  { isCanceled, report }: Push,
): Promise<Signed> {
  const market = await readMarket(network);
  if (market === null) return { reason: noPrice };
  const old = priceOf(parseTransaction(last.transaction));
  const stuck = isStuck(each, report.counts.get(each.account), report.head);
  const chosen = chooseReplacement({
    isCancel: each.isCancel,
    isCanceled,
    isTooLow: stuck || isTooLow(old, market.value),
  });
  if (chosen === "unchanged") return { transaction: last.transaction };
  if (place === undefined) {
    const reason = `OLD_RELAY_KEY is not the key of ${last.account}, which must replace its transaction`;
    return { reason };
  }
  const price = offerPrice(market, old, stuck);
  if (price === null) return { reason: tooExpensive };
  const { row } = relay;
  const to = place.account.address;
  const gas = await readEmptyGas(network, place.account);
  if (gas === null) return { reason: noGas };
  const dataFee = storedFee(row);
  const nonce = storedNonce(last);
  const reserved = storedCost(row);
  const full = costOfCall(row, price);
  const cost = maxCostOf(gas, price, dataFee);
  /** Chooses what to sign, or returns why nothing can be signed. */
  const plan = async (
    transaction: Transaction,
    explain: typeof explainShortage | typeof reserveGas,
  ): Promise<Pick<Parts, "work" | "maxCharge"> | { reason: string }> => {
    const canPay = async (amount: Evidence<bigint>): Promise<boolean> =>
      (await explain(transaction, row, amount, market)) === null;
    if (chosen === "call" && (await canPay(full))) {
      return { work: callOf(row), maxCharge: full };
    }
    const isReserved = cost.value <= reserved.value || (await canPay(cost));
    const maxCharge = isReserved ? cost : reserved;
    const rest = cost.value - maxCharge.value;
    if (rest > 0n) {
      const costs = await readFillerCosts(transaction, place);
      const added = { nonce: nonce.value, cost: rest };
      const reason = explainFillerLimit(fillers, costs, added);
      if (reason !== null) return { reason };
    }
    return { work: { to, data: "0x", gas }, maxCharge };
  };
  return changeRelay<Signed>(database, relay, async (transaction) => {
    // The account is not locked for a transaction that cannot be signed.
    const first = await plan(transaction, explainShortage);
    if ("reason" in first) return first;
    await lockAccount(transaction, place);
    const planned = await plan(transaction, reserveGas);
    if ("reason" in planned) return planned;
    const { head } = report;
    const parts = { place, relayId: row.id, nonce, price, dataFee, head };
    return { transaction: await sign(transaction, { ...parts, ...planned }) };
  });
}

async function sendSigned(network: Network, signed: Signed): Promise<Sent> {
  if (signed === null) return { isSent: false, reason: usual.sentElsewhere };
  if ("reason" in signed) return { isSent: false, reason: signed.reason };
  const rejection = await send(network, signed.transaction);
  return { isSent: true, reason: rejection ?? "sent" };
}

function callOf(row: RelayRow): Work {
  const { wallet, forwarder, data } = row;
  return { to: getAddress(forwarder ?? wallet), data, gas: storedGas(row) };
}

function costOfCall(row: RelayRow, price: Evidence<Price>): Evidence<bigint> {
  return maxCostOf(storedGas(row), price, storedFee(row));
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
