import {
  type Address,
  numberToHex,
  type PublicClient,
  type RpcLog,
} from "viem";

import { type BlockHeader, readHeader } from "../network/block-header.js";
import type { BlockLog, ReadBlock } from "./block.js";

/** Which logs are wanted. */
export interface LogFilter {
  /** Contracts, all unless given. */
  readonly addresses?: readonly Address[];
}

/**
 * Blocks from one number to another.
 *
 * Output: null when they do not follow each other: the chain has changed.
 * Errors: those of viem.
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
 * Blocks with their logs, asked for by hash, so that they are those of the very
 * block.
 *
 * Errors: those of viem, also when the chain does not have such a block any more.
 */
export function readLogsByHash(
  client: PublicClient,
  headers: readonly BlockHeader[],
  { addresses }: LogFilter,
): Promise<readonly ReadBlock[]> {
  const read = headers.map(async (header) => {
    const logs = await client.request({
      method: "eth_getLogs",
      params: [
        {
          blockHash: header.hash,
          ...(addresses !== undefined && { address: [...addresses] }),
        },
      ],
    });
    return { ...header, logs: toLogs(logs) };
  });
  return Promise.all(read);
}

/**
 * Blocks with their logs, all in one request.
 *
 * Output: null when the chain has changed meanwhile.
 * Errors: those of viem, e.g. when that is too much at once.
 */
export async function readLogsOfRange(
  client: PublicClient,
  headers: readonly BlockHeader[],
  { addresses }: LogFilter,
): Promise<readonly ReadBlock[] | null> {
  const [first] = headers;
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  const logs = await client.request({
    method: "eth_getLogs",
    params: [
      {
        fromBlock: numberToHex(first.number),
        toBlock: numberToHex(last.number),
        ...(addresses !== undefined && { address: [...addresses] }),
      },
    ],
  });
  // The hash of the last block stands for all blocks before it.
  const end = await readHeader(client, last.number);
  if (end?.hash !== last.hash) return null;
  const byBlock = new Map<string, RpcLog[]>();
  for (const { hash } of headers) byBlock.set(hash, []);
  for (const log of logs) {
    const found = log.blockHash === null ? null : byBlock.get(log.blockHash);
    if (!found) return null;
    found.push(log);
  }
  return headers.map((header) => ({
    ...header,
    logs: toLogs(byBlock.get(header.hash) ?? []),
  }));
}

function toLogs(logs: readonly RpcLog[]): readonly BlockLog[] {
  return logs.map(toLog).sort((one, other) => one.logIndex - other.logIndex);
}

function toLog(log: RpcLog): BlockLog {
  const { transactionHash, transactionIndex, logIndex } = log;
  if (transactionHash === null || transactionIndex === null) {
    throw new Error("the chain has a log that is of no transaction");
  }
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    transactionHash,
    transactionIndex: Number(transactionIndex),
    logIndex: Number(logIndex),
  };
}
