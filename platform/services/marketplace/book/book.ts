import type { Address } from "viem";

import { UnavailableError } from "../../../../generated/errors.js";
import type { NetworkSettings } from "../../../settings/read-network.js";

/** Identifies the orders of a marketplace contract. */
export interface Book {
  readonly chainId: number;
  /** The marketplace contract, in lowercase. */
  readonly contract: Address;
}

/**
 * Returns the name of a book's follower. Each contract is followed from its own
 * first block.
 */
export function followerOf({ contract }: Book): string {
  return `orders of ${contract}`;
}

/** Returns the followed marketplace on a network, or null if there is none. */
export function bookOf({ chainId, marketplace }: NetworkSettings): Book | null {
  if (marketplace === null) return null;
  const digits = marketplace.seaport.slice(2).toLowerCase();
  return { chainId, contract: `0x${digits}` };
}

/**
 * Returns the followed marketplace on a network.
 *
 * Errors: `Unavailable` if there is none, because its orders are then unknown.
 */
export function requireBook(network: NetworkSettings): Book {
  const book = bookOf(network);
  if (book !== null) return book;
  const { handle } = network;
  const cause = `orders on ${handle} are not followed: set networks.${handle}.marketplace in the settings`;
  throw new UnavailableError({ cause });
}
