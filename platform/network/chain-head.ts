import type { Hash, PublicClient } from "viem";

import { UnavailableError } from "../../generated/errors.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";

/** The last block of a chain: all that contracts say is the same until the next. */
export interface ChainHead {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** In seconds. */
  readonly time: bigint;
}

/**
 * Makes what reads the last block of a chain, as it is when it is asked for or
 * later. One question is under way at a time, and its answer is that of all who
 * had asked before it was sent.
 *
 * Errors: those of viem.
 */
export function createReadHead(
  client: () => PublicClient,
): () => Promise<ChainHead> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<ChainHead> | null = null;
  const read = (): Promise<ChainHead> => {
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

async function readHead(client: PublicClient): Promise<ChainHead> {
  // Not viem's `getBlock`, which reads all that is in it.
  const block = await client.request({
    method: "eth_getBlockByNumber",
    params: ["latest", false],
  });
  if (block?.hash == null) throw new Error("the chain has no last block");
  const { hash, parentHash } = block;
  const number = Number(block.number);
  return { number, hash, parentHash, time: BigInt(block.timestamp) };
}

/**
 * The last block of a network.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function requireHead(network: Network): Promise<ChainHead> {
  const head = await readChain(network, () => network.head());
  if (head !== null) return head;
  const cause = `the chain of ${network.handle} does not tell its last block`;
  throw new UnavailableError({ cause });
}
