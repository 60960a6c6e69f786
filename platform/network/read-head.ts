import type { PublicClient } from "viem";

import { type BlockHeader, readHead } from "./block-header.js";

/**
 * Makes what reads the last block of a chain, as it is when it is asked for or
 * later; all that contracts say is the same until the next. One question is
 * under way at a time, and its answer is that of all who had asked before it
 * was sent.
 *
 * Errors: those of viem.
 */
export function createReadHead(
  client: () => PublicClient,
): () => Promise<BlockHeader> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<BlockHeader> | null = null;
  const read = (): Promise<BlockHeader> => {
    next = null;
    return readHead(client());
  };
  return () => {
    if (next !== null) return next;
    const sent = last.then(read);
    next = sent;
    last = sent.catch(() => undefined);
    return sent;
  };
}
