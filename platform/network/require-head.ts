import { UnavailableError } from "../../generated/errors.js";
import type { BlockHeader } from "./block-header.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";

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
