import type {
  MinedTransaction,
  ReportedReceipt,
} from "../../relaying/evidence/reports.js";
import { finalBlocks } from "../../relaying/next-step.js";
import { distinct } from "./combine.js";

/** A block of the model, with at most one transaction. */
export interface Block {
  /** Unique among all forks. */
  readonly hash: string;
  readonly transaction: string | null;
  readonly isSuccess: boolean;
}

/** The number of real blocks that each block of the model stands for. */
export const scale = finalBlocks / 2;

/** Returns everything that a node can know of the chain. */
export function viewsOf({
  abandoned,
  chain,
}: {
  readonly abandoned: readonly Block[] | null;
  readonly chain: readonly Block[];
}): readonly (readonly Block[])[] {
  const prefixes = [chain, abandoned ?? []].flatMap((blocks) =>
    [...blocks, null].map((_, length) => blocks.slice(0, length)),
  );
  return distinct(prefixes, (view) => view.map(({ hash }) => hash).join());
}

/** Returns the number of a node's last block. */
export function headOf(view: readonly Block[]): number {
  return (view.length - 1) * scale;
}

/** Returns the number of transactions of the relaying account. */
export function countOf(view: readonly Block[]): number {
  return view.filter(({ transaction }) => transaction !== null).length;
}

/** Returns what the transaction of a block cost. */
export function costOf({ isSuccess, transaction }: Block): bigint {
  if (transaction?.startsWith("call")) return isSuccess ? 100n : 10n;
  return transaction?.startsWith("cancel") ? 1n : 0n;
}

/** Returns the receipt that a node has of a transaction, or null. */
export function receiptOf(
  view: readonly Block[],
  hash: string,
): ReportedReceipt | null {
  const height = view.findIndex(({ transaction }) => transaction === hash);
  const block = view[height];
  if (block === undefined) return null;
  return {
    ...{ hash, blockNumber: height * scale, blockHash: block.hash },
    ...{ isSuccess: block.isSuccess, gasUsed: 1n },
    ...{ gasPrice: costOf(block), rollupFee: 0n },
  };
}

/** Returns the transaction that used a nonce, or null. */
export function userOf(
  view: readonly Block[],
  nonce: number,
): MinedTransaction | null {
  const used = view.filter(({ transaction }) => transaction !== null)[nonce];
  if (used === undefined) return null;
  const blockNumber = view.indexOf(used) * scale;
  return { hash: used.transaction ?? "", blockNumber, blockHash: used.hash };
}
