import { type Address, BaseError, type Hash } from "viem";

import { askAll } from "../network/agreement/ask-all.js";
import type { Contradiction } from "../network/agreement/contradiction.js";
import {
  agreedBy,
  majorityOf,
  present,
} from "../network/agreement/majority.js";
import { readHeader, type ReportedBlock } from "../network/block-header.js";
import { readAgreedHeaders } from "./agreed-headers.js";
import type { BlockLog, ReadBlock } from "./block.js";
import { groupBy } from "./group-by.js";
import {
  judgeLogs,
  type JudgedLogs,
  type ReportedLogs,
  toReported,
} from "./judge-logs.js";
import { isCovered, mayHaveLogs } from "./logs-bloom.js";
import { type FollowedNode, readInBatches } from "./nodes.js";
import type { Voters } from "./voters.js";

/** Selects the logs to read. */
export interface LogFilter {
  /** The contracts that emit the logs. The default is all contracts. */
  readonly addresses?: readonly Address[];
}

/** The nodes to read from, and the logs to read. */
export interface LogSource extends LogFilter {
  /** The nodes, a majority of which must report the same. */
  readonly nodes: readonly FollowedNode[];
  /** Called with what a node reports other than most nodes. */
  readonly onWrong?: (contradiction: Contradiction) => void;
  /**
   * Returns whether most nodes have lacked logs for long, so that a range is also
   * read if only the others respond. The default is never.
   */
  readonly isAlone?: () => boolean;
  /** Chooses the nodes that decide about blocks. The default is all nodes. */
  readonly voters?: Voters;
}

/**
 * Reads the block headers in a range of numbers.
 *
 * Returns null if a majority does not report them, or they are not consecutive,
 * because the chain has changed in the meantime.
 * Errors: any error from viem, if no node responds.
 */
export async function readHeaders(
  { nodes, voters }: LogSource,
  from: number,
  to: number,
): Promise<readonly ReportedBlock[] | null> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const headers = await readAgreedHeaders(nodes, numbers, voters);
  const isWhole = headers?.every(({ parentHash }, index) => {
    const parent = headers[index - 1];
    return parent === undefined || parent.hash === parentHash;
  });
  return isWhole === true ? headers : null;
}

/**
 * Reads the logs of blocks by hash, so that they belong to exactly these
 * blocks.
 *
 * Errors: any error from viem, e.g. if the chain no longer has such a block.
 */
export async function readLogsByHash(
  source: LogSource,
  headers: readonly ReportedBlock[],
): Promise<readonly ReadBlock[]> {
  const { addresses, nodes } = source;
  const address = addresses && [...addresses];
  const found = await askForLogs(nodes, (node) =>
    readInBatches(node, headers, async (client, { hash }) => {
      const logs = await client.getLogs({ address, blockHash: hash });
      return toReported(logs, hash);
    }),
  );
  return completeAll(source, headers, found);
}

/**
 * Reads the logs of consecutive blocks with one `eth_getLogs` request for each
 * node.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem, e.g. if the range is too large; BaseError if it is
 * for most nodes.
 */
export async function readLogsOfRange(
  source: LogSource,
  headers: readonly ReportedBlock[],
): Promise<readonly ReadBlock[] | null> {
  const [first] = headers;
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  const found = await askForLogs(source.nodes, async ({ client }) => {
    const logs = await client.getLogs({
      address: source.addresses && [...source.addresses],
      fromBlock: BigInt(first.number),
      toBlock: BigInt(last.number),
    });
    // The hash of the last block covers all blocks before it.
    const end = await readHeader(client, last.number);
    return end?.hash === last.hash ? sortOut(logs, headers) : null;
  });
  if (present(found).length === 0) return null;
  requireMost(source, found, headers.length);
  return completeAll(source, headers, found);
}

/**
 * Reads the blocks of a range that have requested logs, and the last block of
 * the range.
 *
 * Returns null if the chain has changed in the meantime.
 * Errors: any error from viem, e.g. if the range is too large; BaseError if it is
 * for most nodes.
 */
export async function readBlocksWithLogs(
  source: LogSource,
  from: number,
  to: number,
): Promise<readonly ReadBlock[] | null> {
  const { addresses, nodes } = source;
  const filter = {
    address: addresses && [...addresses],
    ...{ fromBlock: BigInt(from), toBlock: BigInt(to) },
  };
  const logs = await askAll(
    nodes,
    ({ client }) => client.getLogs(filter),
    (all) => agreedBy(all, keyOfRange) !== null,
  );
  requireMost(source, logs, to - from + 1);
  const withLogs = present(logs)
    .flat()
    .map(({ blockNumber }) => Number(blockNumber))
    .filter((number) => number >= from && number < to);
  const numbers = [...new Set([...withLogs, to])].sort((a, b) => a - b);
  const headers = await readAgreedHeaders(nodes, numbers, source.voters);
  if (headers === null) return null;
  const found = await Promise.all(
    logs.map((each) => each && sortOut(each, headers)),
  );
  if (present(found).length === 0) return null;
  return completeAll(source, headers, found);
}

/** A log with its block. */
interface Found extends BlockLog {
  readonly blockHash: Hash;
  readonly blockNumber: bigint;
}

/** What each node reports about several blocks, or null if it does not respond. */
type Reports = readonly (readonly ReportedLogs[] | null)[];

/** Asks all nodes for the logs of the same blocks. */
function askForLogs(
  nodes: readonly FollowedNode[],
  ask: (node: FollowedNode) => Promise<readonly ReportedLogs[] | null>,
): Promise<Reports> {
  const keyOf = (blocks: readonly ReportedLogs[]): string =>
    blocks.map(({ key }) => key).join("\n\n");
  return askAll(nodes, ask, (found) => agreedBy(found, keyOf) !== null);
}

function keyOfRange(logs: readonly Found[]): string {
  return logs.map((log) => `${log.blockHash} ${log.logIndex}`).join();
}

/**
 * Throws an error if most nodes do not report the logs of a range, which may be
 * too large for them. Otherwise, a single node could leave out blocks.
 */
function requireMost(
  { isAlone = () => false, nodes }: LogSource,
  found: readonly unknown[],
  blocks: number,
): void {
  const isMost = present(found).length >= majorityOf(nodes.length);
  if (isMost || blocks === 1 || isAlone()) return;
  throw new BaseError("most nodes do not return the logs of a range");
}

/**
 * Returns the logs of each block. Returns null if some are of other blocks,
 * because the node is on another fork.
 */
async function sortOut(
  logs: readonly Found[],
  headers: readonly ReportedBlock[],
): Promise<readonly ReportedLogs[] | null> {
  const byBlock = groupBy(logs, ({ blockHash }) => blockHash);
  const hashes = new Set(headers.map(({ hash }) => hash));
  if ([...byBlock.keys()].some((hash) => !hashes.has(hash))) return null;
  return Promise.all(
    headers.map(({ hash }) => toReported(byBlock.get(hash) ?? [], hash)),
  );
}

/** Returns blocks with the logs that are believed. */
function completeAll(
  source: LogSource,
  headers: readonly ReportedBlock[],
  found: Reports,
): Promise<readonly ReadBlock[]> {
  const blocks = headers.map((header, index) =>
    complete(
      source,
      header,
      found.map((each) => each?.[index] ?? null),
    ),
  );
  return Promise.all(blocks);
}

/**
 * Returns a block with the logs that are believed. If nodes have the block but,
 * as its Bloom filter shows, not its logs yet, their answers do not count.
 */
async function complete(
  source: LogSource,
  header: ReportedBlock,
  reported: readonly (ReportedLogs | null)[],
): Promise<ReadBlock> {
  const { addresses, nodes, onWrong } = source;
  const judged =
    addresses === undefined
      ? await judgeLogs(reported, (logs) => isCovered(header.logsBloom, logs))
      : await judgeFiltered(nodes, addresses, header, reported);
  const { wrong, ...block } = judged;
  const positionOf = (index: number): number => nodes[index]?.position ?? 0;
  for (const index of wrong) {
    const what = `reports other logs of block ${header.hash} than most nodes`;
    onWrong?.({ node: positionOf(index), what });
  }
  const { unconfirmed, ...rest } = block;
  return {
    ...{ ...header, ...rest },
    ...(unconfirmed && {
      unconfirmed: { ...unconfirmed, by: unconfirmed.by.map(positionOf) },
    }),
  };
}

/**
 * Judges the logs of some contracts. Only all logs of the block together can be
 * compared with its Bloom filter, so these are requested in doubt.
 */
async function judgeFiltered(
  nodes: readonly FollowedNode[],
  addresses: readonly Address[],
  { hash, logsBloom }: ReportedBlock,
  reported: readonly (ReportedLogs | null)[],
): Promise<JudgedLogs> {
  const judged = await judgeLogs(reported, (logs) =>
    Promise.resolve(logs.length > 0 || !mayHaveLogs(logsBloom, addresses)),
  );
  if (judged.isComplete) return judged;
  const all = await askForLogs(nodes, async ({ client }) => [
    await toReported(await client.getLogs({ blockHash: hash }), hash),
  ]).catch(() => null);
  if (all === null) return judged;
  const { logs, unconfirmed, ...rest } = await judgeLogs(
    all.map((each) => each?.[0] ?? null),
    (some) => isCovered(logsBloom, some),
  );
  const requested = new Set(addresses.map((each) => each.toLowerCase()));
  const isRequested = ({ address }: BlockLog): boolean =>
    requested.has(address.toLowerCase());
  return {
    ...rest,
    logs: logs.filter(isRequested),
    ...(unconfirmed && {
      unconfirmed: {
        ...unconfirmed,
        logs: unconfirmed.logs.filter(isRequested),
      },
    }),
  };
}
