import { BaseError, type PublicClient } from "viem";

import type { BlockHeader } from "../network/block-header.js";
import type { ReadBlock } from "./block.js";
import {
  type LogFilter,
  readHeaders,
  readLogsByHash,
  readLogsOfRange,
} from "./read-blocks.js";

/** Reads what comes next, as much at once as is good. */
export interface ReadAhead {
  /**
   * Blocks that follow each other, from a number on; at least one, and not
   * beyond the head.
   *
   * Output: null when the chain has changed meanwhile.
   * Errors: those of viem.
   */
  read(from: number, head: BlockHeader): Promise<readonly ReadBlock[] | null>;
}

/** The clients of a chain: one of them sends several requests in one. */
export interface ReadAheadOptions extends LogFilter {
  readonly client: PublicClient;
  readonly batchClient: PublicClient;
}

/**
 * Closer to the head, logs are asked for by the hash of their block: of several
 * nodes behind one address, some may not have the last blocks yet, and answer
 * for a range what they have.
 */
const settledDepth = 32;

/** At most so many blocks, and about so many logs, at once. */
const maxBlocks = 256;
const goodLogs = 2000;

/** Nothing is known of the chain yet. */
export function createReadAhead(options: ReadAheadOptions): ReadAhead {
  const { client, batchClient } = options;
  let size = 32;
  const readRange = async (
    from: number,
    to: number,
  ): Promise<readonly ReadBlock[] | null> => {
    const headers = await readHeaders(batchClient, from, to);
    if (headers === null) return null;
    try {
      const blocks = await readLogsOfRange(client, headers, options);
      const count = blocks?.reduce((sum, { logs }) => sum + logs.length, 0);
      const isMuch = count !== undefined && count > goodLogs;
      size = isMuch ? Math.max(size / 2, 1) : Math.min(size * 2, maxBlocks);
      return blocks;
    } catch (error) {
      if (!(error instanceof BaseError) || headers.length === 1) throw error;
      // It may have been too much at once.
      size = Math.max(Math.floor(headers.length / 2), 1);
      return readRange(from, from + size - 1);
    }
  };
  return {
    read: async (from, head) => {
      if (from === head.number) return readLogsByHash(client, [head], options);
      const settled = head.number - settledDepth;
      if (from <= settled) {
        return readRange(from, Math.min(from + size - 1, settled));
      }
      const headers = await readHeaders(batchClient, from, head.number);
      return headers && readLogsByHash(batchClient, headers, options);
    },
  };
}
