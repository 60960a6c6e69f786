import type {
  NodeReport,
  ReportedReceipt,
} from "../../relaying/evidence/evidence.js";
import type { KnownRelay, KnownTransaction } from "../../relaying/next-step.js";

/**
 * A model of two relays, one relaying account and several nodes. The first node
 * can give any answer. The others are honest, but can lag behind or be silent.
 */
export interface World {
  /** The mined transactions, in the order of their nonces. */
  readonly mined: readonly Mined[];
  /** The number of the last block. */
  readonly height: number;
  readonly relays: readonly StoredRelay[];
  readonly fillers: readonly KnownTransaction[];
  /** The hashes of the transactions that nodes have received. */
  readonly sent: readonly string[];
  /** Whether the deadlines have passed. */
  readonly isLate: boolean;
  /** How often an instance can still be killed, and time pass. */
  readonly kills: number;
  readonly pauses: number;
}

export interface StoredRelay {
  readonly known: KnownRelay;
  readonly isFinal: boolean;
  /** What is reserved in the tank while it is pending. */
  readonly reserved: bigint;
  /** The most that was ever reserved. */
  readonly mostReserved: bigint;
}

export interface Mined {
  readonly hash: string;
  readonly height: number;
  readonly isSuccess: boolean;
}

/** The answers of a node. Each class answers all questions of one look. */
export const lies = [
  "truth",
  "silence",
  "past",
  "count too high",
  "count of all that was signed",
  "count too low",
  "no receipt",
  "receipt with too much gas",
  "receipt with an impossible price",
  "receipt with a low price",
  "receipt of what was not mined",
  "block of the future",
  "block of the past",
] as const;

/** A class of answers. */
export type Lie = (typeof lies)[number];

/** The answers of a node that is honest. */
export const honest: readonly Lie[] = ["truth", "silence", "past"];

export const account = "relayer";
/** The deadline of both calls, and times before and after it, in seconds. */
export const deadline = 3000n;
const [early, late] = [1000n, 5000n];

/** The true price, and the gas that transactions use. */
export const market = { baseFee: 100n, offer: 10n };
const effective = market.baseFee + market.offer;
export const gasOf = { call: 50_000n, cancel: 21_000n };
const usedOf = { call: 40_000n, cancel: 21_000n };

/** Returns all transactions of a world, in no order. */
export function transactionsOf({
  fillers,
  relays,
}: World): readonly KnownTransaction[] {
  return [...relays.flatMap(({ known }) => known.transactions), ...fillers];
}

/** Returns what a transaction costs in a block. */
export function costOf({ isCancel, limits }: KnownTransaction): bigint {
  const price = limits.price < effective ? limits.price : effective;
  return usedOf[isCancel ? "cancel" : "call"] * price;
}

/** Returns whether block producers accept the price of a transaction. */
export function isAccepted({ limits }: KnownTransaction): boolean {
  return limits.price >= market.baseFee;
}

/** Returns what a node reports about a relay, or null if it is silent. */
export function reportOf(
  world: World,
  { known: { transactions } }: StoredRelay,
  lie: Lie,
): NodeReport | null {
  if (lie === "silence") return null;
  const isPast = lie === "past";
  const mined = isPast ? world.mined.slice(0, -1) : world.mined;
  const last = world.mined.at(-1);
  const height = isPast && last ? last.height - 1 : world.height;
  const all = transactionsOf(world).map(({ nonce }) => nonce);
  const count =
    lie === "count too high"
      ? mined.length + 1_000_000
      : lie === "count too low"
        ? 0
        : lie === "count of all that was signed"
          ? Math.max(-1, ...all) + 1
          : mined.length;
  const receipts = transactions.flatMap((each): readonly ReportedReceipt[] => {
    const found = mined.find(({ hash }) => hash === each.hash);
    if (lie === "no receipt") return [];
    if (lie === "receipt of what was not mined") {
      const block = { height: world.height, isSuccess: false };
      return [change(each, found ?? block, "truth", "0xf")];
    }
    return found ? [change(each, found, lie, blockHashOf(found))] : [];
  });
  const isFuture = lie === "block of the future";
  const time = world.isLate ? late : early;
  return {
    head: isFuture
      ? height + 1_000_000
      : lie === "block of the past"
        ? 0
        : height,
    time: isFuture ? late : lie === "block of the past" ? early : time,
    counts: new Map([[account, count]]),
    proven: new Set(),
    receipts: new Map(receipts.map((each) => [each.hash, each])),
  };
}

/** Returns the hash of the block of a transaction. */
export function blockHashOf({ hash }: Pick<Mined, "hash">): string {
  return `block of ${hash}`;
}

function change(
  transaction: KnownTransaction,
  { height, isSuccess }: Omit<Mined, "hash">,
  lie: Lie,
  blockHash: string,
): ReportedReceipt {
  const { hash, isCancel, limits } = transaction;
  const gasUsed = usedOf[isCancel ? "cancel" : "call"];
  const gasPrice = costOf(transaction) / gasUsed;
  return {
    ...{ hash, blockNumber: height, blockHash, isSuccess, rollupFee: 0n },
    gasUsed: lie === "receipt with too much gas" ? limits.gas + 1n : gasUsed,
    gasPrice:
      lie === "receipt with an impossible price"
        ? limits.price + 10n ** 15n
        : lie === "receipt with a low price"
          ? 1n
          : gasPrice,
  };
}
