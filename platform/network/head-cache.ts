import type { Hash } from "viem";
import { LRUCache } from "lru-cache";

import type { BlockHeader } from "./block-header.js";
import type { Network } from "./networks.js";

/** Returns the cache of a block. */
export type HeadCache<Value extends object> = (
  network: Network,
  head: BlockHeader,
) => LRUCache<string, Value>;

/** The maximum number of entries per network. */
const maxEntries = 10_000;

/**
 * Creates a cache of values read at the last block of each network. Contract
 * state does not change until the next block, which has a different hash.
 */
export function createHeadCache<Value extends object>(): HeadCache<Value> {
  const cached = new Map<
    Network,
    { readonly hash: Hash; readonly entries: LRUCache<string, Value> }
  >();
  return (network, { hash }) => {
    const known = cached.get(network);
    if (known?.hash === hash) return known.entries;
    const entries = new LRUCache<string, Value>({ max: maxEntries });
    cached.set(network, { hash, entries });
    return entries;
  };
}
