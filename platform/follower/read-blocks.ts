import {
  type Address,
  type Hash,
  isAddressEqual,
  type PublicClient,
} from "viem";

import { readHeader, type ReportedBlock } from "../network/block-header.js";
import { groupBy } from "./group-by.js";
import type { BlockLog, ReadBlock } from "./block.js";
import { isCovered, mayHaveLogs } from "./logs-bloom.js";

/** Selects the logs to read. */
export interface LogFilter {
  /** The contracts that emit the logs. The default is all contracts. */
  readonly addresses?: readonly Address[];
}

/** The nodes to read logs from, and the logs to read. */
export interface LogSource extends LogFilter {
  readonly client: PublicClient;
  /** Clients that ask a single node each. They are asked for missing logs. */
  readonly nodes: readonly PublicClient[];
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
): Promise<readonly ReportedBlock[] | null> {
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
  source: LogSource,
  headers: readonly ReportedBlock[],
): Promise<readonly ReadBlock[]> {
  const { addresses, client } = source;
  const address = addresses && [...addresses];
  const read = headers.map(async (header) => {
    const logs = await client.getLogs({ address, blockHash: header.hash });
    return complete(source, header, logs);
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
  source: LogSource,
  headers: readonly ReportedBlock[],
): Promise<readonly ReadBlock[] | null> {
  const { addresses, client } = source;
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
  const byBlock = groupBy(logs, ({ blockHash }) => blockHash);
  const hashes = new Set(headers.map(({ hash }) => hash));
  if ([...byBlock.keys()].some((hash) => !hashes.has(hash))) return null;
  return Promise.all(
    headers.map((header) =>
      complete(source, header, byBlock.get(header.hash) ?? []),
    ),
  );
}

/**
 * Reads the blocks of a range that have requested logs, and the last block of
 * the range. Asks two nodes for the logs if there are several, because a node
 * can lack old logs without reporting an error.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem, e.g. if the range is too large.
 */
export async function readBlocksWithLogs(
  { addresses, client, nodes }: LogSource,
  from: number,
  to: number,
): Promise<readonly ReadBlock[] | null> {
  const filter = {
    address: addresses && [...addresses],
    ...{ fromBlock: BigInt(from), toBlock: BigInt(to) },
  };
  const [logs, ...others] = await Promise.all([
    client.getLogs(filter),
    ...nodes.slice(1, 2).map((node) => node.getLogs(filter).catch(() => [])),
  ]);
  const byNumber = groupBy(merge([logs, ...others]), ({ blockNumber }) =>
    Number(blockNumber),
  );
  const numbers = [...new Set([...byNumber.keys(), to])].sort((a, b) => a - b);
  const headers = await Promise.all(
    numbers.map((number) => readHeader(client, number)),
  );
  const blocks = headers.flatMap((header): readonly ReadBlock[] => {
    const found = header === null ? [] : (byNumber.get(header.number) ?? []);
    const isSame = found.every(({ blockHash }) => blockHash === header?.hash);
    if (header === null || !isSame) return [];
    return [{ ...header, logs: found, isComplete: true }];
  });
  return blocks.length === numbers.length ? blocks : null;
}

/** A log with its block. */
interface Found extends BlockLog {
  readonly blockHash: Hash;
  readonly blockNumber: bigint;
}

/**
 * Returns a block with its logs. If the block's Bloom filter shows that a node
 * has the block but not its logs yet, asks all nodes for them.
 */
async function complete(
  { addresses, nodes }: LogSource,
  header: ReportedBlock,
  logs: readonly Found[],
): Promise<ReadBlock> {
  const { hash, logsBloom } = header;
  const isPlausible =
    addresses === undefined
      ? await isCovered(logsBloom, logs)
      : logs.length > 0 || !mayHaveLogs(logsBloom, addresses);
  if (isPlausible) return { ...header, logs: merge([logs]), isComplete: true };
  // Only all logs of the block together can be compared with the filter.
  const answers = await Promise.all(
    nodes.map((node) => node.getLogs({ blockHash: hash }).catch(() => [])),
  );
  const all = merge([logs, ...answers]);
  const isRequested = ({ address }: Found): boolean =>
    addresses?.some((each) => isAddressEqual(each, address)) ?? true;
  return {
    ...header,
    logs: all.filter(isRequested),
    isComplete: await isCovered(logsBloom, all),
  };
}

/** Merges the logs that several nodes have returned, and sorts them. */
function merge(answers: readonly (readonly Found[])[]): readonly Found[] {
  const byPlace = new Map(
    answers.flat().map((log) => [`${log.blockHash} ${log.logIndex}`, log]),
  );
  return [...byPlace.values()].sort(
    (one, other) => one.logIndex - other.logIndex,
  );
}
