import { type Address, type Hex, hexToBytes, keccak256 } from "viem";

import { giveWay } from "../process/concurrency/give-way.js";
import type { BlockLog } from "./block.js";

/**
 * Returns whether logs account for every bit of a block's Bloom filter. If they
 * do not, the block has more logs.
 */
export async function isCovered(
  logsBloom: Hex,
  logs: readonly BlockLog[],
): Promise<boolean> {
  const missing = hexToBytes(logsBloom);
  for (const { address, topics } of logs) {
    await giveWay();
    for (const item of [address, ...topics]) {
      for (const bit of bitsOf(item)) {
        const index = missing.length - 1 - (bit >> 3);
        missing[index] = (missing[index] ?? 0) & ~(1 << (bit & 7));
      }
    }
  }
  return missing.every((byte) => byte === 0);
}

/** Returns whether a block may have logs of at least one of the contracts. */
export function mayHaveLogs(
  logsBloom: Hex,
  addresses: readonly Address[],
): boolean {
  const bytes = hexToBytes(logsBloom);
  const isSet = (bit: number): boolean =>
    ((bytes[bytes.length - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
  return addresses.some((address) => bitsOf(address).every(isSet));
}

/** The bits that an address or a topic sets, as the yellow paper defines. */
function bitsOf(item: Hex): readonly number[] {
  const hash = keccak256(item, "bytes");
  return [0, 2, 4].map(
    (at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047,
  );
}
