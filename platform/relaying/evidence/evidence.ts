import {
  dynamic,
  isAbove,
  legacy,
  type Market,
  medianOf,
  type Price,
  type Quote,
  raisePrice,
  raiseStuck,
} from "./price.js";

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
  /** Whether a majority of the network's nodes, or the platform, knows it. */
  readonly isConfirmed: boolean;

  constructor(value: Value, isConfirmed: boolean) {
    this.value = value;
    this.isConfirmed = isConfirmed;
  }
}

export type Evidence<Value> = CheckedValue<Value>;

/** The maximum gas of a transaction, including its overhead. */
export const maxGas = 3_000_000n;

/** The gas that every transaction uses. */
const minGas = 21_000n;

/** The position of a transaction on the chain. */
export interface MinedTransaction {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** The receipt of a transaction. */
export interface Receipt extends MinedTransaction {
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly cost: bigint;
}

/** The limits of what a transaction can cost, fixed when it was signed. */
export interface SignedLimits {
  readonly gas: bigint;
  /** Per gas unit. */
  readonly price: bigint;
  /** What the tank reserved for it. The platform pays the rest. */
  readonly charge: bigint;
}

/** A receipt as a node reports it. */
export interface ReportedReceipt {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  /** What a rollup charged in addition to gas. */
  readonly rollupFee: bigint;
}

/** What one node reports about accounts and transactions. */
export interface NodeReport {
  readonly head: number;
  /** The time of its last block, in seconds. */
  readonly time: bigint;
  /** The number of transactions of each account. */
  readonly counts: ReadonlyMap<string, number>;
  /**
   * The accounts for which the node has shown the transaction before the count,
   * with the signature of the account.
   */
  readonly proven: ReadonlySet<string>;
  readonly receipts: ReadonlyMap<string, ReportedReceipt>;
}

/** Something that a node reports and that cannot be true. */
export interface Contradiction {
  /** The position of the node among the network's RPC URLs, from 0. */
  readonly node: number;
  readonly what: string;
}

/** What is believed of the reports of a network's nodes. */
export interface Report {
  readonly head: number;
  readonly time: bigint;
  readonly counts: ReadonlyMap<string, Evidence<number>>;
  readonly receipts: ReadonlyMap<string, Evidence<Receipt>>;
  /** Why the relay must wait for other reports, or null. */
  readonly doubt: string | null;
  readonly contradictions: readonly Contradiction[];
}

/** What the reports are held against. */
export interface Known {
  /** One more than the highest nonce that each account has signed. */
  readonly signed: ReadonlyMap<string, number>;
  readonly transactions: readonly {
    readonly hash: string;
    readonly limits: SignedLimits;
  }[];
  readonly maxRollupFee: bigint;
}

/** Returns how many of the nodes of a network are a majority. */
export function majorityOf(nodes: number): number {
  return Math.floor(nodes / 2) + 1;
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
  const present = reports.flatMap((report) => report ?? []);
  const counts = new Map<string, Evidence<number>>();
  const receipts = new Map<string, Evidence<Receipt>>();
  const contradictions: Contradiction[] = [];
  let doubt: string | null = null;
  for (const [account, ceiling] of signed) {
    const judged = judgeCount(reports, account, ceiling);
    contradictions.push(...judged.contradictions);
    if (judged.count === null) {
      doubt ??= judged.contradictions[0]?.what ?? "no node reports a count";
    } else {
      counts.set(account, judged.count);
    }
  }
  for (const transaction of transactions) {
    const judged = judgeReceipt(reports, transaction, maxRollupFee);
    contradictions.push(...judged.contradictions);
    doubt ??= judged.doubt;
    if (judged.receipt !== null) receipts.set(transaction.hash, judged.receipt);
  }
  return {
    head: reachedBy(
      present.map(({ head }) => head),
      (one, other) => one - other,
    ),
    time: reachedBy(
      present.map(({ time }) => time),
      compare,
    ),
    ...{ counts, receipts, doubt, contradictions },
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
  const believed: number[] = [];
  const contradictions: Contradiction[] = [];
  for (const [node, report] of reports.entries()) {
    const count = report?.counts.get(account);
    if (report === null || count === undefined) continue;
    const others = reports.filter(
      (other) => (other?.counts.get(account) ?? -1) >= count,
    );
    if (
      count <= ceiling ||
      report.proven.has(account) ||
      others.length >= agreeing
    ) {
      believed.push(count);
    } else {
      const what = `RPC URL ${node + 1} reports ${count} transactions of ${account}, but the platform has signed ${ceiling}, and no transaction proves the others`;
      contradictions.push({ node, what });
    }
  }
  if (believed.length === 0) return { count: null, contradictions };
  const reached = reachedBy(believed, (one, other) => one - other);
  const isConfirmed = believed.length >= majorityOf(reports.length);
  const count = new CheckedValue(reached, isConfirmed);
  return { count, contradictions };
}

/**
 * Judges the receipt of a transaction. A receipt is impossible if it costs more
 * than was signed. A node whose last block precedes the receipt's lags behind.
 * All others must agree, or a majority of all nodes.
 */
function judgeReceipt(
  reports: readonly (NodeReport | null)[],
  { hash, limits }: Known["transactions"][number],
  maxRollupFee: bigint,
): {
  readonly receipt: Evidence<Receipt> | null;
  readonly doubt: string | null;
  readonly contradictions: readonly Contradiction[];
} {
  const contradictions: Contradiction[] = [];
  const groups = new Map<string, ReportedReceipt[]>();
  const without: NodeReport[] = [];
  for (const [node, report] of reports.entries()) {
    if (report === null) continue;
    const receipt = report.receipts.get(hash);
    if (receipt === undefined) {
      without.push(report);
    } else if (isPossible(receipt, limits, maxRollupFee)) {
      const key = Object.values(receipt).join();
      groups.set(key, [...(groups.get(key) ?? []), receipt]);
    } else {
      const what = `RPC URL ${node + 1} reports a receipt of ${hash} that costs more than was signed`;
      contradictions.push({ node, what });
    }
  }
  const [most = []] = [...groups.values()].sort(
    (one, other) => other.length - one.length,
  );
  const [receipt] = most;
  const majority = majorityOf(reports.length);
  const none = { receipt: null, doubt: null, contradictions };
  if (receipt === undefined) {
    const isOnlyLie = contradictions.length > 0 && without.length < majority;
    const doubt = isOnlyLie ? (contradictions[0]?.what ?? null) : null;
    return { ...none, doubt };
  }
  const denying = without.filter(({ head }) => head >= receipt.blockNumber);
  const isConfirmed = most.length >= majority;
  if (isConfirmed || (groups.size === 1 && denying.length === 0)) {
    const checked = new CheckedValue(toReceipt(receipt), isConfirmed);
    return { ...none, receipt: checked };
  }
  if (denying.length >= majority) return none;
  return { ...none, doubt: `nodes disagree about the receipt of ${hash}` };
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
 * Judges the prices that nodes report: the median of each value, or the higher
 * one of two, because a transaction whose price is too low blocks all others.
 * What is paid is limited when a price is offered.
 */
export function judgeMarket(
  quotes: readonly Quote[],
  limit: bigint,
): Evidence<Market> {
  const offer = medianOf(quotes.map((quote) => quote.offer));
  const baseFees = quotes.flatMap(({ baseFee }) => baseFee ?? []);
  const confirm = (market: Market): Evidence<Market> =>
    new CheckedValue(market, quotes.length > 1);
  if (baseFees.length === 0) {
    return confirm({ price: legacy(offer), baseFee: 0n, limit });
  }
  const baseFee = medianOf(baseFees);
  const best = 2n * baseFee + offer;
  // Below the limit, the price is sufficient at least for the next block.
  const max = best > limit && baseFee + offer <= limit ? limit : best;
  return confirm({ price: dynamic(max, offer), baseFee, limit });
}

/**
 * Returns the price for a transaction, or null if it exceeds the network's
 * limit.
 *
 * Input: the price of the transaction that it replaces, if any, and whether that
 * one stays unmined although nodes report that its price is sufficient.
 */
export function offerPrice(
  { value: market, isConfirmed }: Evidence<Market>,
  old: Price | null = null,
  isStuck = false,
): Evidence<Price> | null {
  const raised =
    old === null
      ? market.price
      : isStuck
        ? raiseStuck(old, market)
        : raisePrice(old, market);
  return isAbove(raised, market) ? null : new CheckedValue(raised, isConfirmed);
}

/** Judges the balance of an account: what most nodes report at least. */
export function judgeBalance(balances: readonly bigint[]): Evidence<bigint> {
  return new CheckedValue(reachedBy(balances, compare), balances.length > 1);
}

/**
 * Judges the gas that a transaction needs: the most that a node reports. Returns
 * null if it exceeds `maxGas`.
 */
export function judgeGas(
  estimates: readonly bigint[],
): Evidence<bigint> | null {
  const most = estimates.reduce(
    (one, other) => (one > other ? one : other),
    minGas,
  );
  return most > maxGas ? null : new CheckedValue(most, estimates.length > 1);
}

/** Returns the gas limit of a stored relay, which was judged before. */
export function storedGas({ gas }: { readonly gas: string }): Evidence<bigint> {
  return new CheckedValue(BigInt(gas), true);
}

/** Returns the nonce of a stored transaction, which another one replaces. */
export function storedNonce(transaction: {
  readonly account_nonce: number;
}): Evidence<number> {
  return new CheckedValue(transaction.account_nonce, true);
}

/**
 * Returns the account's lowest unused nonce.
 *
 * Input: `lowest` is the lowest nonce that was ever signed, or null.
 */
export function chooseNonce(
  { value: count, isConfirmed }: Evidence<number>,
  lowest: number | null,
  taken: ReadonlySet<number>,
): Evidence<number> {
  const nonce = lowestFreeNonce(Math.max(count, lowest ?? 0), taken);
  return new CheckedValue(nonce, isConfirmed);
}

/** Returns the nonces from an account's count up to a nonce that waits. */
export function noncesBefore(
  { value: count, isConfirmed }: Evidence<number>,
  nonce: number,
  max: number,
): readonly Evidence<number>[] {
  const length = Math.max(0, Math.min(nonce - count, max));
  return Array.from(
    { length },
    (_, index) => new CheckedValue(count + index, isConfirmed),
  );
}

/** Returns the lowest nonce that the account has not used. */
function lowestFreeNonce(count: number, taken: ReadonlySet<number>): number {
  let nonce = count;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}

/** Returns the greatest value that most of the others reach. */
function reachedBy<Value>(
  values: readonly Value[],
  compareValues: (one: Value, other: Value) => number,
): Value {
  const descending = [...values].sort((one, other) =>
    compareValues(other, one),
  );
  const reached = descending[majorityOf(values.length) - 1];
  if (reached === undefined) throw new Error("no node has responded");
  return reached;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
