import { type BlockHeader, timeOf } from "./block-header.js";
import type { Network } from "./networks.js";
import { requireHead } from "./require-head.js";

/** A moment of a chain, at which all parts of an answer are told. */
export interface Moment {
  /** The last block. */
  readonly head: BlockHeader;
  /** In seconds: that of the next block, as far as is known. */
  readonly time: bigint;
}

/**
 * The current moment of a network.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function readMoment(network: Network): Promise<Moment> {
  return momentAt(await requireHead(network));
}

/** The moment of a chain that ends with a block. */
export function momentAt(head: BlockHeader): Moment {
  return { head, time: currentTime(timeOf(head)) };
}

/**
 * The time that counts on a chain whose last block is of a time, in seconds: the
 * next block is not older than now, and blocks may be ahead of us.
 */
export function currentTime(chainTime: bigint): bigint {
  const ourTime = BigInt(Math.floor(Date.now() / 1000));
  return chainTime > ourTime ? chainTime : ourTime;
}
