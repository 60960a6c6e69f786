import type { PublicClient } from "viem";

import { shareNextAnswer } from "../process/share-next-answer.js";
import { type BlockHeader, readHead } from "./block-header.js";

/**
 * Creates a function that reads the last block of a chain. The block is at
 * least as recent as the call. Contract state does not change until the next
 * one.
 *
 * Errors: any error from viem.
 */
export function createReadHead(
  client: () => PublicClient,
): () => Promise<BlockHeader> {
  const read = shareNextAnswer(() => readHead(client()));
  return () => read("head");
}
