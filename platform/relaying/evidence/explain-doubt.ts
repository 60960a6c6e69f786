import type { Contradiction } from "../../network/agreement/contradiction.js";

/** The block of a transaction. */
interface BlockPosition {
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** A receipt, and the node that reports it. */
export interface Witness<Receipt extends BlockPosition> {
  /** The position of the node among the network's RPC URLs, from 0. */
  readonly node: number;
  readonly receipt: Receipt;
}

/** Explains the first contradiction. Returns null if there is none. */
export function explainContradiction([first]: readonly Contradiction[]):
  string | null {
  return first ? `RPC URL ${first.node + 1} ${first.what}` : null;
}

/**
 * Explains why a receipt is not believed: a node is wrong, is on another fork, or
 * lags behind.
 *
 * Input: a node that reports it, one that reports another receipt, and one whose
 * last block is late enough for the receipt, which it does not have.
 */
export function explainDoubt(
  hash: string,
  one: Witness<BlockPosition>,
  other: Witness<BlockPosition> | undefined,
  denying: number | undefined,
): string {
  if (other !== undefined) {
    const what = isInSameBlock(one, other) ? "receipts" : "blocks";
    return `RPC URLs ${one.node + 1} and ${other.node + 1} report different ${what} of ${hash}`;
  }
  if (denying !== undefined) {
    return `RPC URL ${denying + 1} has reached block ${one.receipt.blockNumber} without the receipt of ${hash}`;
  }
  return `too few nodes have the receipt of ${hash}`;
}

/** Returns whether two nodes have a transaction in the same block. */
export function isInSameBlock(
  one: Witness<BlockPosition>,
  other: Witness<BlockPosition>,
): boolean {
  return one.receipt.blockHash === other.receipt.blockHash;
}
