import { majorityOf, present } from "../../network/agreement/majority.js";
import type { MinedTransaction } from "./reports.js";

/** What a node reports about the block of a transaction. */
export interface BlockView {
  readonly head: number;
  /** The hashes of the block's transactions, or null if it has no such block. */
  readonly transactions: readonly string[] | null;
}

/** The last block of a node, and the hashes of some of its blocks. */
export interface NodeView {
  readonly head: number;
  readonly hashes: ReadonlyMap<number, string>;
}

/**
 * Returns whether a reorganization has removed transactions: a majority of all
 * nodes has a different block, or a chain that has been too short for long.
 *
 * Input: one view for each node, or null for a node that does not respond.
 */
export function isRemoved(
  views: readonly (BlockView | null)[],
  {
    blockNumber,
    hashes,
    isLong,
  }: {
    readonly blockNumber: number;
    readonly hashes: readonly string[];
    readonly isLong: boolean;
  },
): boolean {
  const without = present(views).filter(({ head, transactions }) =>
    transactions === null
      ? isLong && head < blockNumber
      : !hashes.some((hash) => transactions.includes(hash)),
  );
  return without.length >= majorityOf(views.length);
}

/** Whether the blocks of transactions can still change. */
export type Depth = "unknown" | "contradicted" | "shallow" | "deep";

/**
 * Judges whether the blocks of transactions can still change: a majority of all
 * nodes must have them, that many blocks deep.
 *
 * Input: one view for each node, or null for a node that does not respond.
 */
export function judgeDepth(
  views: readonly (NodeView | null)[],
  mined: readonly MinedTransaction[],
  blocks: number,
): Depth {
  const last = Math.max(...mined.map(({ blockNumber }) => blockNumber));
  const confirming = present(views).filter(({ hashes }) =>
    mined.every((each) => hashes.get(each.blockNumber) === each.blockHash),
  );
  const majority = majorityOf(views.length);
  if (confirming.length < majority) {
    const isContradicted = present(views).some(({ hashes }) =>
      mined.some(
        ({ blockHash, blockNumber }) =>
          (hashes.get(blockNumber) ?? blockHash) !== blockHash,
      ),
    );
    return isContradicted ? "contradicted" : "unknown";
  }
  // A node that is stuck on an abandoned fork also has a low last block.
  const deep = confirming.filter(({ head }) => head - last >= blocks);
  return deep.length >= majority ? "deep" : "shallow";
}
