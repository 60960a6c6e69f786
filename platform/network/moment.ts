import { type BlockHeader, timeOf } from "./block-header.js";
import type { Network } from "./networks.js";
import { requireHead } from "./require-head.js";

/**
 * A point in the history of a chain. All parts of a response use the same
 * moment.
 */
export interface Moment {
  /** The last block. */
  readonly head: BlockHeader;
  /** The estimated time of the next block, in seconds. */
  readonly time: bigint;
}

/**
 * Returns the current moment of a network.
 *
 * Errors: `Unavailable` if the chain does not answer.
 */
export async function readMoment(network: Network): Promise<Moment> {
  return momentAt(await requireHead(network));
}

/** Returns the moment of a chain with a given last block. */
export function momentAt(head: BlockHeader): Moment {
  return { head, time: currentTime(timeOf(head)) };
}

/**
 * Returns the estimated time of the next block, in seconds: the current time,
 * or the last block's time if the chain's clock is ahead.
 */
export function currentTime(chainTime: bigint): bigint {
  const ourTime = BigInt(Math.floor(Date.now() / 1000));
  return chainTime > ourTime ? chainTime : ourTime;
}
