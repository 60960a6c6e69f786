import { BaseError } from "viem";

import type { AgreedHead } from "./agreed-headers.js";
import type { ReadBlock } from "./block.js";
import { maxSingly } from "./nodes.js";
import {
  type LogSource,
  readBlocksWithLogs,
  readHeaders,
  readLogsByHash,
  readLogsOfRange,
} from "./read-blocks.js";

/**
 * Reads one or more blocks, starting at a number and going no further than the
 * head. It adapts how many it reads at a time. Far from the head, it omits
 * blocks without requested logs if only some contracts are followed.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem.
 */
export type ReadAhead = (
  from: number,
  head: AgreedHead,
) => Promise<readonly ReadBlock[] | null>;

/**
 * Within this distance of the head, logs are requested by block hash instead of
 * by range. If several nodes share a URL, some may not have the latest blocks
 * yet and would return only part of a range.
 */
const settledDepth = 32;

/**
 * The maximum number of blocks per range, without and with a filter, and the
 * number of logs above which the next ranges are smaller. Many nodes limit a
 * range to 10,000 blocks.
 */
const maxBlocks = 256;
const maxFilteredBlocks = 10_000;
const goodLogs = 2000;

/** How much faster than before a range may grow after one was too large. */
const regrowth = 1.1;

/** Creates a reader that has not read anything yet. */
export function createReadAhead(options: Omit<LogSource, "nodes">): ReadAhead {
  const isFiltered = options.addresses !== undefined;
  const most = isFiltered ? maxFilteredBlocks : maxBlocks;
  let largest = most;
  let size = 32;
  const readOnce = async (
    source: LogSource,
    from: number,
    to: number,
  ): Promise<readonly ReadBlock[] | null> => {
    if (isFiltered) return readBlocksWithLogs(source, from, to);
    const headers = await readHeaders(source, from, to);
    return headers && readLogsOfRange(source, headers);
  };
  const readRange = async (
    source: LogSource,
    from: number,
    to: number,
  ): Promise<readonly ReadBlock[] | null> => {
    try {
      const blocks = await readOnce(source, from, to);
      const count = blocks?.reduce((sum, { logs }) => sum + logs.length, 0);
      const isMuch = count !== undefined && count > goodLogs;
      largest = Math.min(Math.ceil(largest * regrowth), most);
      size = isMuch ? Math.ceil(size / 2) : Math.min(size * 2, largest);
      return blocks;
    } catch (error) {
      if (!(error instanceof BaseError) || from === to) throw error;
      // The range may have been too large, so retry with half of it.
      size = Math.ceil((to - from + 1) / 2);
      largest = size;
      return readRange(source, from, from + size - 1);
    }
  };
  return async (from, head) => {
    const source = { ...options, nodes: head.nodes };
    if (from === head.number) return readLogsByHash(source, [head]);
    const settled = head.number - settledDepth;
    if (from <= settled) {
      return readRange(source, from, Math.min(from + size - 1, settled));
    }
    const to = Math.min(from + maxSingly - 1, head.number);
    const headers = await readHeaders(source, from, to);
    return headers && readLogsByHash(source, headers);
  };
}
