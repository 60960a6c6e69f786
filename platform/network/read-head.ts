import type { PublicClient } from "viem";

import { shareNextAnswer } from "../process/share-next-answer.js";
import { type BlockHeader, readHead } from "./block-header.js";

/**
 * Makes what reads the last block of a chain, as it is when it is asked for or
 * later; all that contracts say is the same until the next.
 *
 * Errors: those of viem.
 */
export function createReadHead(
  client: () => PublicClient,
): () => Promise<BlockHeader> {
  const read = shareNextAnswer(() => readHead(client()));
  return () => read("head");
}
