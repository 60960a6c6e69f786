import { UnavailableError } from "../../generated/errors.js";
import { type BlockHeader, timeOf } from "./block-header.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";

/**
 * A point in time on a chain. All parts of a response refer to the same one.
 */
export interface Moment {
  /** The last block. */
  readonly head: BlockHeader;
  /** The estimated time of the next block, in seconds. */
  readonly time: bigint;
}

/**
 * Returns the current point in time on a network.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function readMoment(network: Network): Promise<Moment> {
  return momentAt(await requireHead(network));
}

/** Returns the point in time on a chain with a given last block. */
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

/**
 * Returns the last block of a network.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function requireHead(network: Network): Promise<BlockHeader> {
  const head = await readChain(network, () => network.head());
  if (head !== null) return head;
  const cause = `the chain of ${network.handle} does not report its last block`;
  throw new UnavailableError({ cause });
}

/**
 * The last second of the year 9999, the latest time that ISO 8601 can express
 * with a four-digit year.
 */
const lastSecond = 253_402_300_799n;

/** Converts a chain's time in seconds to a date, up to the year 9999. */
export function toDate(seconds: bigint): Date {
  return new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000);
}
