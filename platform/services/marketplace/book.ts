import type { Address } from "viem";

import type { NetworkSettings } from "../../settings/settings.js";

/** Whose orders. */
export interface Book {
  readonly chainId: number;
  /** The marketplace contract, in lower case. */
  readonly contract: Address;
}

/** Name of the follower: another contract is followed from its own first block. */
export function followerOf({ contract }: Book): string {
  return `orders of ${contract}`;
}

/** Whose orders are followed on a network; null: nobody's. */
export function bookOf({ chainId, marketplace }: NetworkSettings): Book | null {
  if (marketplace === null) return null;
  const digits = marketplace.seaport.slice(2).toLowerCase();
  return { chainId, contract: `0x${digits}` };
}
