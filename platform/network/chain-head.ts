import type { PublicClient } from "viem";

import { UnavailableError } from "../../generated/errors.js";
import { type BlockHeader, readHead } from "./block-header.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";

/**
 * Makes what reads the last block of a chain, as it is when it is asked for or
 * later; all that contracts say is the same until the next. One question is under way at a time, and its answer is that of all who
 * had asked before it was sent.
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

/**
 * The last block of a network.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function requireHead(network: Network): Promise<BlockHeader> {
  const head = await readChain(network, () => network.head());
  if (head !== null) return head;
  const cause = `the chain of ${network.handle} does not tell its last block`;
  throw new UnavailableError({ cause });
}
