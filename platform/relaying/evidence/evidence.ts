import type { Contradiction } from "../../network/agreement/contradiction.js";
import {
  agreedBy,
  areClose,
  lowMedianOf,
  majorityOf,
  medianOf,
  present,
  reachedBy,
} from "../../network/agreement/majority.js";
import {
  explainContradiction,
  explainDoubt,
  isInSameBlock,
  type Witness,
} from "./explain-doubt.js";
import {
  dynamic,
  isAbove,
  legacy,
  type Market,
  type Price,
  type Quote,
  raisePrice,
  raiseStuck,
} from "./price.js";
import type {
  Known,
  NodeReport,
  Receipt,
  RelayStatus,
  ReportedReceipt,
  SignedLimits,
  SignedTransaction,
} from "./reports.js";

/**
 * A value that was held against everything that is known about it: what the
 * platform has signed and stored, what the other nodes report, and fixed bounds.
 * Only functions in this file create one, and signing and booking take nothing
 * else, so no number of a single node moves money unchecked.
 */
class CheckedValue<Value> {
  /** Distinguishes the type from any object with the same fields. */
  protected readonly isChecked = true;

  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

export type Evidence<Value> = CheckedValue<Value>;

/** The maximum gas of a transaction, including its overhead. */
export const maxGas = 3_000_000n;

/** The gas that every transaction uses. */
const minGas = 21_000n;

/** What is believed of the reports of a network's nodes. */
export interface Report {
  readonly head: Evidence<number>;
  readonly time: Evidence<bigint>;
  /** Whether a majority of the nodes has responded. Nothing is booked otherwise. */
  readonly isConfirmed: boolean;
  readonly counts: ReadonlyMap<string, Evidence<number>>;
  readonly receipts: ReadonlyMap<string, Evidence<Receipt>>;
  /**
   * Why a relay must wait for other reports, by the account whose count is in
   * doubt or the hash of the transaction whose receipt is.
   */
  readonly doubts: ReadonlyMap<string, string>;
  readonly contradictions: readonly Contradiction[];
}

/**
 * Decides what to believe about a relay.
 *
 * Input: a report for each node of the network, or null for a node that does not
 * respond. At least one responds.
 */
export function judgeReports(
  reports: readonly (NodeReport | null)[],
  { maxRollupFee, signed, transactions }: Known,
): Report {
  const counts = new Map<string, Evidence<number>>();
  const receipts = new Map<string, Evidence<Receipt>>();
  const doubts = new Map<string, string>();
  const contradictions: Contradiction[] = [];
  for (const [account, ceiling] of signed) {
    const judged = judgeCount(reports, account, ceiling);
    contradictions.push(...judged.contradictions);
    if (judged.count === null) {
      const lie = explainContradiction(judged.contradictions);
      doubts.set(account, lie ?? "no node reports a count");
    } else {
      counts.set(account, judged.count);
    }
  }
  for (const transaction of transactions) {
    const { hash } = transaction;
    const rivals = transactions.filter(
      (each) =>
        each.hash !== hash &&
        each.account === transaction.account &&
        each.nonce === transaction.nonce,
    );
    const judged = judgeReceipt(reports, transaction, rivals, maxRollupFee);
    contradictions.push(...judged.contradictions);
    if (judged.doubt !== null) doubts.set(hash, judged.doubt);
    if (judged.receipt !== null) receipts.set(hash, judged.receipt);
  }
  const responding = present(reports).length;
  return {
    head: new CheckedValue(reachedBy(reports.map((each) => each && each.head))),
    time: new CheckedValue(reachedBy(reports.map((each) => each && each.time))),
    isConfirmed: responding >= majorityOf(reports.length),
    ...{ counts, receipts, doubts, contradictions },
  };
}

/**
 * Judges the number of an account's transactions. One that exceeds what was
 * signed is a lie, unless another program has used the account: the account's
 * signature proves this, or a majority of at least two nodes. One that is too low
 * only makes a mined transaction look unmined.
 */
function judgeCount(
  reports: readonly (NodeReport | null)[],
  account: string,
  ceiling: number,
): {
  readonly count: Evidence<number> | null;
  readonly contradictions: readonly Contradiction[];
} {
  const agreeing = Math.max(2, majorityOf(reports.length));
  const contradictions: Contradiction[] = [];
  const believed = reports.map((report, node): number | null => {
    const count = report?.counts.get(account);
    if (report === null || count === undefined) return null;
    const others = reports.filter(
      (other) => (other?.counts.get(account) ?? -1) >= count,
    );
    if (
      count <= ceiling ||
      report.proven.has(account) ||
      others.length >= agreeing
    ) {
      return count;
    }
    const what = `reports ${count} transactions of ${account}, but the platform has signed ${ceiling}, and no transaction proves the others`;
    contradictions.push({ node, what });
    return null;
  });
  if (present(believed).length === 0) return { count: null, contradictions };
  return { count: new CheckedValue(reachedBy(believed)), contradictions };
}

/**
 * Judges the receipt of a transaction. A receipt is impossible if it costs more
 * than was signed, and does not count if its node also reports one of a rival
 * with the same nonce. Otherwise, a majority of all nodes decides whether there is
 * one, and what it contains.
 */
function judgeReceipt(
  reports: readonly (NodeReport | null)[],
  { hash, limits, nonce }: SignedTransaction,
  rivals: readonly SignedTransaction[],
  maxRollupFee: bigint,
): {
  readonly receipt: Evidence<Receipt> | null;
  readonly doubt: string | null;
  readonly contradictions: readonly Contradiction[];
} {
  const contradictions: Contradiction[] = [];
  const groups = new Map<string, Witness<ReportedReceipt>[]>();
  const without: number[] = [];
  let double: string | null = null;
  for (const [node, report] of reports.entries()) {
    if (report === null) continue;
    const receipt = report.receipts.get(hash);
    if (receipt === undefined) {
      without.push(node);
    } else if (rivals.some((each) => report.receipts.has(each.hash))) {
      double = `RPC URL ${node + 1} reports receipts of several transactions with the nonce ${nonce}`;
    } else if (isPossible(receipt, limits, maxRollupFee)) {
      const key = Object.values(receipt).join();
      groups.set(key, [...(groups.get(key) ?? []), { node, receipt }]);
    } else {
      const what = `reports a receipt of ${hash} that costs more than was signed`;
      contradictions.push({ node, what });
    }
  }
  const [most = [], ...others] = [...groups.values()].sort(
    (one, other) => other.length - one.length,
  );
  const [witness] = most;
  const majority = majorityOf(reports.length);
  const none = { receipt: null, doubt: null, contradictions };
  if (witness && most.length >= majority) {
    // On another fork, it has another block.
    const wrong = others
      .flat()
      .filter((each) => isInSameBlock(each, witness))
      .map(({ node }) => ({
        node,
        what: `reports another receipt of ${hash} than most nodes`,
      }));
    const receipt = new CheckedValue(toReceipt(witness.receipt));
    return { ...none, receipt, contradictions: [...contradictions, ...wrong] };
  }
  if (without.length >= majority) return none;
  if (witness === undefined) {
    return { ...none, doubt: explainContradiction(contradictions) ?? double };
  }
  const denying = without.find(
    (node) => (reports[node]?.head ?? -1) >= witness.receipt.blockNumber,
  );
  const doubt = explainDoubt(hash, witness, others[0]?.[0], denying);
  return { ...none, doubt };
}

function isPossible(
  { gasPrice, gasUsed, rollupFee }: ReportedReceipt,
  limits: SignedLimits,
  maxRollupFee: bigint,
): boolean {
  return (
    gasUsed >= 0n &&
    gasUsed <= limits.gas &&
    gasPrice >= 0n &&
    gasPrice <= limits.price &&
    rollupFee >= 0n &&
    rollupFee <= maxRollupFee
  );
}

function toReceipt({
  gasPrice,
  rollupFee,
  ...receipt
}: ReportedReceipt): Receipt {
  return { ...receipt, cost: receipt.gasUsed * gasPrice + rollupFee };
}

/**
 * Judges the prices that nodes report: the median of each value. Of two base
 * fees, the higher one counts, unless its node's price exceeds the limit, because
 * the excess is not paid. A tip or a legacy price is paid in full, so the lower one
 * of two counts, and `raiseStuck` raises one that is too low. If as many nodes
 * report no base fee as report one, the price suits chains of both kinds.
 *
 * Input: a quote for each node, or null for a node that does not respond.
 * Returns null unless a majority of all nodes responds.
 */
export function judgeMarket(
  reported: readonly (Quote | null)[],
  limit: bigint,
): Evidence<Market> | null {
  const quotes = present(reported);
  if (quotes.length < majorityOf(reported.length)) return null;
  const dynamics = quotes.filter(({ baseFee }) => baseFee !== null);
  const legacies = quotes.filter(({ baseFee }) => baseFee === null);
  if (dynamics.length <= legacies.length) {
    const counted = dynamics.length < legacies.length ? legacies : quotes;
    const fullPrice = lowMedianOf(counted.map(costOfQuote));
    const price = legacy(fullPrice);
    return new CheckedValue({ price, baseFee: 0n, fullPrice, limit });
  }
  const affordable = dynamics.filter((quote) => costOfQuote(quote) <= limit);
  const counted =
    dynamics.length === 2 && affordable.length === 1 ? affordable : dynamics;
  const offer = lowMedianOf(dynamics.map((quote) => quote.offer));
  const baseFee = medianOf(counted.map((quote) => quote.baseFee ?? 0n));
  const best = 2n * baseFee + offer;
  // Below the limit, the price is sufficient at least for the next block.
  const max = best > limit && baseFee + offer <= limit ? limit : best;
  const price = dynamic(max, offer);
  const fullPrice = lowMedianOf(dynamics.map(costOfQuote));
  return new CheckedValue({ price, baseFee, fullPrice, limit });
}

function costOfQuote({ baseFee, offer }: Quote): bigint {
  return (baseFee ?? 0n) + offer;
}

/** Returns whether the prices of all nodes are similar. */
export function areSimilar(quotes: readonly Quote[]): boolean {
  return areClose(quotes.map(costOfQuote));
}

/**
 * Returns the price for a transaction, or null if it exceeds the network's
 * limit.
 *
 * Input: the price of the transaction that it replaces, if any, and whether that
 * one stays unmined although nodes report that its price is sufficient.
 */
export function offerPrice(
  { value: market }: Evidence<Market>,
  old: Price | null = null,
  isStuck = false,
): Evidence<Price> | null {
  const raised =
    old === null
      ? market.price
      : isStuck
        ? raiseStuck(old, market)
        : raisePrice(old, market);
  return isAbove(raised, market) ? null : new CheckedValue(raised);
}

/**
 * Returns the status of a relay, and what its tank pays: the cost of each
 * transaction with a receipt, up to what was reserved for it.
 */
export function judgeStatus(
  transactions: readonly (SignedTransaction & { readonly isCancel: boolean })[],
  receipts: ReadonlyMap<string, Evidence<Receipt>>,
  isExpired: boolean,
): Evidence<RelayStatus> {
  const mined = [...receipts.values()].map(({ value }) => value);
  const calls = transactions
    .filter(({ isCancel }) => !isCancel)
    .flatMap(({ hash }) => receipts.get(hash)?.value ?? []);
  const done = calls.find(({ isSuccess }) => isSuccess);
  const call = done ?? calls[0];
  const unmade = isExpired ? "expired" : "pending";
  return new CheckedValue({
    state: done ? "done" : call ? "reverted" : unmade,
    hash: call?.hash ?? transactions.at(-1)?.hash ?? null,
    gasUsed: mined.reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
    cost: transactions.reduce((sum, { hash, limits }) => {
      const cost = receipts.get(hash)?.value.cost ?? 0n;
      return sum + (cost < limits.charge ? cost : limits.charge);
    }, 0n),
    blockNumber:
      mined.length === 0
        ? null
        : Math.max(...mined.map(({ blockNumber }) => blockNumber)),
  });
}

/** Returns the most that a transaction can cost. */
export function maxCostOf(
  gas: Evidence<bigint>,
  price: Evidence<Price>,
  dataFee: Evidence<bigint>,
): Evidence<bigint> {
  return new CheckedValue(gas.value * price.value.max + dataFee.value);
}

/** Judges a balance or the last block: what most nodes report at least. */
export function judgeReached<Value extends bigint | number>(
  values: readonly (Value | null)[],
): Evidence<Value> {
  return new CheckedValue(reachedBy(values));
}

/**
 * Judges the gas that a transaction needs: the median, or the higher one of two
 * that is possible.
 *
 * Input: an estimate for each node, or null for a node that does not respond.
 * Returns null if it exceeds `maxGas`, or a majority of all nodes has none.
 */
export function judgeGas(
  reported: readonly (bigint | null)[],
): Evidence<bigint> | null {
  const estimates = present(reported);
  if (estimates.length < majorityOf(reported.length)) return null;
  const median = medianOf(estimates, maxGas);
  const gas = median > minGas ? median : minGas;
  return gas > maxGas ? null : new CheckedValue(gas);
}

/**
 * Judges what a rollup charges for a transaction in addition to gas: what a
 * majority of all nodes reports at least, up to the maximum. One that is too low
 * delays nothing, because no transaction contains it.
 */
export function judgeRollupFee(
  fees: readonly (bigint | null)[],
  max: bigint,
): Evidence<bigint> {
  const fee = reachedBy(fees.map((each) => each ?? 0n));
  return new CheckedValue(fee < max ? fee : max);
}

/**
 * Judges what must be the same on all nodes. Returns null unless a majority of
 * all nodes agrees.
 */
export function judgeEqual<Value>(
  values: readonly (Value | null)[],
  keyOf: (value: Value) => string,
): Evidence<Value> | null {
  const agreed = agreedBy(values, keyOf);
  return agreed === null ? null : new CheckedValue(agreed);
}

/** Returns the gas limit of a stored relay, which was judged before. */
export function storedGas({ gas }: { readonly gas: string }): Evidence<bigint> {
  return new CheckedValue(BigInt(gas));
}

/** Returns the fee of a stored relay's rollup, which was judged before. */
export function storedFee({
  max_data_fee: fee,
}: {
  readonly max_data_fee: string;
}): Evidence<bigint> {
  return new CheckedValue(BigInt(fee));
}

/** Returns what a stored relay has reserved. */
export function storedCost({
  max_cost: cost,
}: {
  readonly max_cost: string;
}): Evidence<bigint> {
  return new CheckedValue(BigInt(cost));
}

/** Returns the nonce of a stored transaction, which another one replaces. */
export function storedNonce(transaction: {
  readonly account_nonce: number;
}): Evidence<number> {
  return new CheckedValue(transaction.account_nonce);
}

/**
 * Returns the account's lowest unused nonce.
 *
 * Input: `lowest` is the lowest nonce that was ever signed, or null.
 */
export function chooseNonce(
  { value: count }: Evidence<number>,
  lowest: number | null,
  taken: ReadonlySet<number>,
): Evidence<number> {
  const nonce = lowestFreeNonce(Math.max(count, lowest ?? 0), taken);
  return new CheckedValue(nonce);
}

/** Returns the nonces from an account's count up to a nonce that waits. */
export function noncesBefore(
  { value: count }: Evidence<number>,
  nonce: number,
  max: number,
): readonly Evidence<number>[] {
  const length = Math.max(0, Math.min(nonce - count, max));
  return Array.from({ length }, (_, index) => new CheckedValue(count + index));
}

/** Returns the lowest nonce that the account has not used. */
function lowestFreeNonce(count: number, taken: ReadonlySet<number>): number {
  let nonce = count;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}
