import { BaseError, type PublicClient } from "viem";

import type { BlockHeader } from "../network/block-header.js";
import type { ReadBlock } from "./block.js";
import {
  type LogFilter,
  readHeaders,
  readLogsByHash,
  readLogsOfRange,
} from "./read-blocks.js";

/**
 * Reads one or more consecutive blocks, starting at a number and going no
 * further than the head. It adapts how many it reads at a time.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem.
 */
export type ReadAhead = (
  from: number,
  head: BlockHeader,
) => Promise<readonly ReadBlock[] | null>;

/** The clients of a chain. One of them sends requests in batches. */
export interface ReadAheadOptions extends LogFilter {
  readonly client: PublicClient;
  readonly batchClient: PublicClient;
}

/**
 * Within this distance of the head, logs are requested by block hash instead of
 * by range. If several nodes share a URL, some may not have the latest blocks
 * yet and would return only part of a range.
 */
const settledDepth = 32;

/**
 * The maximum number of blocks per range, and the number of logs above which
 * the next ranges are smaller.
 */
const maxBlocks = 256;
const goodLogs = 2000;

/** Creates a reader that has not read anything yet. */
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
      // The range may have been too large, so retry with half of it.
      size = Math.max(Math.floor(headers.length / 2), 1);
      return readRange(from, from + size - 1);
    }
  };
  return async (from, head) => {
    if (from === head.number) return readLogsByHash(client, [head], options);
    const settled = head.number - settledDepth;
    if (from <= settled) {
      return readRange(from, Math.min(from + size - 1, settled));
    }
    const headers = await readHeaders(batchClient, from, head.number);
    return headers && readLogsByHash(batchClient, headers, options);
  };
}
