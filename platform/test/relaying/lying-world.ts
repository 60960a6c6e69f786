import type { BlockView } from "../../relaying/evidence/blocks.js";
import { maxGas } from "../../relaying/evidence/evidence.js";
import type {
  NodeReport,
  ReportedReceipt,
} from "../../relaying/evidence/reports.js";
import {
  finalBlocks,
  type KnownRelay,
  type KnownTransaction,
} from "../../relaying/next-step.js";

/**
 * A model of two relays, one relaying account and several nodes. The first node
 * can give any answer. The others are honest, but can lag behind or be silent.
 */
export interface World {
  /** The mined transactions, in the order of their nonces. */
  readonly mined: readonly Mined[];
  /** Transactions that were mined, and that a reorganization has removed. */
  readonly removed: readonly Mined[];
  /** The number of the last block. */
  readonly height: number;
  readonly relays: readonly StoredRelay[];
  readonly fillers: readonly KnownTransaction[];
  /** What each transaction offers, by hash. */
  readonly offers: Readonly<Record<string, Offer>>;
  /** The hashes of the transactions that nodes have received. */
  readonly sent: readonly string[];
  /** Whether the deadlines have passed. */
  readonly isLate: boolean;
  /** How often an instance can still be killed, and time pass. */
  readonly kills: number;
  readonly pauses: number;
  /** How often a reorganization can still remove the last transaction. */
  readonly reorganizations: number;
}

/** What a transaction offers to pay, besides its limits. */
export interface Offer {
  /** The tip per gas unit, or the price of a transaction without a base fee. */
  readonly tip: bigint;
  /** The rollup's fee that was expected. */
  readonly dataFee: bigint;
  /** Whether it replaces one that stayed unmined although its price sufficed. */
  readonly isStuck: boolean;
}

export interface StoredRelay {
  readonly known: KnownRelay;
  /** The rollup's fee that was expected when the call was accepted. */
  readonly dataFee: bigint;
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
  "errors",
  "past",
  "count too high",
  "count that a transaction of another chain shows",
  "count of all that was signed",
  "count too low",
  "no receipt",
  "receipt with too much gas",
  "receipt with all the gas and the highest price",
  "receipt without gas",
  "receipt with the opposite outcome",
  "receipt in an old block",
  "receipt with an impossible price",
  "receipt with a low price",
  "receipt without the rollup's fee",
  "receipt with a high rollup's fee",
  "receipt with an impossible rollup's fee",
  "receipt of what was not mined",
  "block of the future",
  "block of the past",
  "balance of another account",
  "balance of a rich account",
  "transactions are dropped",
] as const;

/** A class of answers. */
export type Lie = (typeof lies)[number];

/** The answers of a node that is honest. */
export const honest: readonly Lie[] = ["truth", "silence", "past"];

export const account = "relayer";
/** The deadline of both calls, and times before and after it, in seconds. */
export const deadline = 3000n;
const [early, late] = [1000n, 5000n];

/** The network's maximum price, and the maximum of the rollup's fee. */
export const limit = 10_000n;
export const maxRollupFee = limit * maxGas;

/** The true price, and what the rollup charges for each transaction. */
export const market = { baseFee: 100n, offer: 10n };
export const rollupFee = 700_000n;
/** The gas that transactions can use and do use. */
export const gasOf = { call: 50_000n, cancel: 21_000n };
const usedOf = { call: 40_000n, cancel: 21_000n };

/** The balance of the account, which is always sufficient. */
const funds = 10n ** 18n;

const balances: Partial<Record<Lie, bigint>> = {
  "balance of another account": 0n,
  "balance of a rich account": 10n ** 30n,
};

/** Returns all transactions of a world, in no order. */
export function transactionsOf({
  fillers,
  relays,
}: World): readonly KnownTransaction[] {
  return [...relays.flatMap(({ known }) => known.transactions), ...fillers];
}

/** Returns the nonce after the last one that was signed. */
export function nextNonceOf({ fillers, relays }: World): number {
  let next = 0;
  const see = ({ nonce }: KnownTransaction): void => {
    next = Math.max(next, nonce + 1);
  };
  for (const { known } of relays) known.transactions.forEach(see);
  fillers.forEach(see);
  return next;
}

/** Returns what a transaction pays per gas unit. */
export function paidPriceOf(
  { offers }: Pick<World, "offers">,
  { hash, limits }: Pick<KnownTransaction, "hash" | "limits">,
): bigint {
  const offered = market.baseFee + (offers[hash]?.tip ?? 0n);
  return limits.price < offered ? limits.price : offered;
}

/** Returns what a transaction costs in a block. */
export function costOf(world: World, each: KnownTransaction): bigint {
  const used = usedOf[each.isCancel ? "cancel" : "call"];
  return used * paidPriceOf(world, each) + rollupFee;
}

/** Returns whether block producers accept the price of a transaction. */
export function isAccepted({ limits }: KnownTransaction): boolean {
  return limits.price >= market.baseFee;
}

/** Returns whether a node gives no answer at all. */
export function isSilent(lie: Lie): boolean {
  return lie === "silence" || lie === "errors";
}

/** Returns what a node knows of the chain. */
function viewOf(world: World, lie: Lie): Pick<World, "height" | "mined"> {
  const last = world.mined.at(-1);
  return lie === "past" && last
    ? { mined: world.mined.slice(0, -1), height: last.height - 1 }
    : world;
}

/** Returns what a node reports about a relay, or null if it is silent. */
export function reportOf(
  world: World,
  { known: { transactions } }: Pick<StoredRelay, "known">,
  lie: Lie,
): NodeReport | null {
  if (isSilent(lie)) return null;
  const { height, mined } = viewOf(world, lie);
  const count =
    lie === "count too high" ||
    // `findUser` does not accept such a transaction.
    lie === "count that a transaction of another chain shows"
      ? mined.length + 1_000_000
      : lie === "count too low"
        ? 0
        : lie === "count of all that was signed"
          ? nextNonceOf(world)
          : mined.length;
  const receipts = transactions.flatMap((each): readonly ReportedReceipt[] => {
    const found = mined.find(({ hash }) => hash === each.hash);
    if (lie === "no receipt") return [];
    if (lie === "receipt of what was not mined") {
      const block = { height: world.height, isSuccess: false };
      return [change(world, each, found ?? block, "truth", "0xf")];
    }
    return found ? [change(world, each, found, lie, blockHashOf(found))] : [];
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

/** Returns the balance of the account that a node reports, or null. */
export function balanceOf(lie: Lie): bigint | null {
  return isSilent(lie) ? null : (balances[lie] ?? funds);
}

/** Returns what a node reports about a block of a relay. */
export function blockOf(
  world: World,
  number: number,
  lie: Lie,
  { head }: NodeReport,
): BlockView {
  const { height, mined } = viewOf(world, lie);
  const found = mined.filter((each) => each.height === number);
  const isMissing = number > height;
  return {
    head,
    transactions: isMissing
      ? null
      : lie === "no receipt"
        ? []
        : found.map(({ hash }) => hash),
  };
}

/** Returns the hashes of blocks that a node reports. */
export function hashesOf(
  world: World,
  numbers: readonly number[],
  lie: Lie,
  { receipts }: NodeReport,
): ReadonlyMap<number, string> {
  const { height, mined } = viewOf(world, lie);
  const known = numbers.filter((number) => number <= height);
  return new Map([
    ...known.map((number): [number, string] => {
      const found = mined.find((each) => each.height === number);
      return [number, found ? blockHashOf(found) : `empty ${number}`];
    }),
    ...[...receipts.values()].map((receipt): [number, string] => [
      receipt.blockNumber,
      receipt.blockHash,
    ]),
  ]);
}

function blockHashOf({ hash, height }: Pick<Mined, "hash" | "height">): string {
  return `block ${height} of ${hash}`;
}

/** Removes the last transaction that can still be removed. */
export function reorganize(world: World): readonly World[] {
  const { height, mined, removed, reorganizations } = world;
  const last = mined.at(-1);
  if (last === undefined || reorganizations === 0) return [];
  if (height - last.height >= finalBlocks) return [];
  return [
    {
      ...{ ...world, mined: mined.slice(0, -1), removed: [...removed, last] },
      ...{ height: height + 1, reorganizations: reorganizations - 1 },
    },
  ];
}

function change(
  world: World,
  transaction: KnownTransaction,
  { height, isSuccess }: Omit<Mined, "hash">,
  lie: Lie,
  blockHash: string,
): ReportedReceipt {
  const { hash, isCancel, limits } = transaction;
  const gasUsed = usedOf[isCancel ? "cancel" : "call"];
  const gasPrice = paidPriceOf(world, transaction);
  const fees: Partial<Record<Lie, bigint>> = {
    "receipt without the rollup's fee": 0n,
    "receipt with a high rollup's fee": maxRollupFee,
    "receipt with an impossible rollup's fee": maxRollupFee + 1n,
  };
  const gas: Partial<Record<Lie, bigint>> = {
    "receipt with too much gas": limits.gas + 1n,
    "receipt with all the gas and the highest price": limits.gas,
    "receipt without gas": 0n,
  };
  const prices: Partial<Record<Lie, bigint>> = {
    "receipt with an impossible price": limits.price + 10n ** 15n,
    "receipt with all the gas and the highest price": limits.price,
    "receipt with a low price": 1n,
  };
  return {
    ...{ hash, blockHash },
    blockNumber: lie === "receipt in an old block" ? 0 : height,
    isSuccess: isSuccess !== (lie === "receipt with the opposite outcome"),
    rollupFee: fees[lie] ?? rollupFee,
    gasUsed: gas[lie] ?? gasUsed,
    gasPrice: prices[lie] ?? gasPrice,
  };
}
