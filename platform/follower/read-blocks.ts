import type { Address, PublicClient } from "viem";

import { type BlockHeader, readHeader } from "../network/block-header.js";
import type { BlockLog, ReadBlock } from "./block.js";

/** Selects the logs to read. */
export interface LogFilter {
  /** The contracts that emit the logs. The default is all contracts. */
  readonly addresses?: readonly Address[];
}

/**
 * Reads the block headers in a range of numbers.
 *
 * Returns null if the headers are not consecutive, because the chain has
 * changed in the meantime.
 * Errors: any error from viem.
 */
export async function readHeaders(
  client: PublicClient,
  from: number,
  to: number,
): Promise<readonly BlockHeader[] | null> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const read = numbers.map((number) => readHeader(client, number));
  const headers = (await Promise.all(read)).filter((header) => header !== null);
  const isWhole =
    headers.length === numbers.length &&
    headers.every(({ parentHash }, index) => {
      const parent = headers[index - 1];
      return parent === undefined || parent.hash === parentHash;
    });
  return isWhole ? headers : null;
}

/**
 * Reads the logs of blocks by hash, so that they belong to exactly these
 * blocks.
 *
 * Errors: any error from viem, e.g. if the chain no longer has such a block.
 */
export function readLogsByHash(
  client: PublicClient,
  headers: readonly BlockHeader[],
  { addresses }: LogFilter,
): Promise<readonly ReadBlock[]> {
  const address = addresses && [...addresses];
  const read = headers.map(async (header) => {
    const logs = await client.getLogs({ address, blockHash: header.hash });
    return { ...header, logs: logs.sort(byIndex) };
  });
  return Promise.all(read);
}

/**
 * Reads the logs of consecutive blocks with one `eth_getLogs` request.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem, e.g. if the range is too large.
 */
export async function readLogsOfRange(
  client: PublicClient,
  headers: readonly BlockHeader[],
  { addresses }: LogFilter,
): Promise<readonly ReadBlock[] | null> {
  const [first] = headers;
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  const logs = await client.getLogs({
    address: addresses && [...addresses],
    fromBlock: BigInt(first.number),
    toBlock: BigInt(last.number),
  });
  // The hash of the last block covers all blocks before it.
  const end = await readHeader(client, last.number);
  if (end?.hash !== last.hash) return null;
  const byBlock = new Map<string, BlockLog[]>();
  for (const { hash } of headers) byBlock.set(hash, []);
  for (const log of logs.sort(byIndex)) {
    const found = byBlock.get(log.blockHash);
    if (found === undefined) return null;
    found.push(log);
  }
  return headers.map((header) => ({
    ...header,
    logs: byBlock.get(header.hash) ?? [],
  }));
}

function byIndex(one: BlockLog, other: BlockLog): number {
  return one.logIndex - other.logIndex;
}
