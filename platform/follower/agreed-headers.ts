import { BaseError } from "viem";

import { askAll } from "../network/agreement/ask-all.js";
import type { Contradiction } from "../network/agreement/contradiction.js";
import {
  agreedBy,
  majorityOf,
  present,
  reachedBy,
} from "../network/agreement/majority.js";
import {
  readHead,
  readHeader,
  type ReportedBlock,
} from "../network/block-header.js";
import { type FollowedNode, readInBatches } from "./nodes.js";
import { createPatience } from "./patience.js";
import { createVoters, type Voters } from "./voters.js";

/** The last block that a majority of the nodes has reached. */
export interface AgreedHead extends ReportedBlock {
  /** The nodes that decide about blocks. */
  readonly nodes: readonly FollowedNode[];
  /** How many of all nodes are a majority. */
  readonly most: number;
  /** The number of the last block that any of them reports. */
  readonly highest: number;
  /** Returns the nodes whose chains end before a block. */
  readonly nodesBefore: (number: number) => readonly FollowedNode[];
}

/**
 * Reads the last block that a majority of the nodes has reached and reports.
 *
 * Returns null if they do not agree about it at the moment.
 * Errors: any error from viem; BaseError if most nodes do not respond, or do not
 * agree for long.
 */
export type ReadAgreedHead = () => Promise<AgreedHead | null>;

/** Options of `createReadHead`. */
export interface HeadOptions {
  readonly nodes: readonly FollowedNode[];
  /**
   * How long each of most nodes must have been silent until the others decide
   * alone, and how long nodes can have different last blocks until it is an error.
   */
  readonly patienceMs: number;
  /** Called when few nodes begin to decide alone. */
  readonly onAlone: () => void;
  /** Called with what a node reports other than most nodes. */
  readonly onWrong: (contradiction: Contradiction) => void;
}

/** Creates a function that reads the last block. */
export function createReadHead(options: HeadOptions): ReadAgreedHead {
  const { nodes, onWrong, patienceMs } = options;
  const isDisputedForLong = createPatience(patienceMs);
  const isElsewhereForLong = nodes.map(() => createPatience(patienceMs));

  /** Reports nodes with other contents of the block, or another one for long. */
  const noteWrong = (
    header: ReportedBlock,
    voters: readonly FollowedNode[],
    found: readonly (ReportedBlock | null)[],
  ): void => {
    for (const [index, { position }] of voters.entries()) {
      const other = found[index] ?? null;
      const isElsewhere = other !== null && other.hash !== header.hash;
      const isLong = isElsewhereForLong[position]?.(isElsewhere) ?? false;
      const isWrong =
        other !== null &&
        keyOf(withBloom(other, header)) !== keyOf(withBloom(header, other));
      if (!isWrong || (isElsewhere && !isLong)) continue;
      const what = `reports another block ${header.number} than most nodes`;
      onWrong({ node: position, what });
    }
  };

  const readLast = createReadLast(options);
  return async () => {
    const last = await readLast();
    const voters = [...last.keys()];
    const numbers = voters.map((node) => last.get(node)?.number ?? null);
    const reached = reachedBy(numbers);
    const ends = new Set(present(numbers).filter((each) => each <= reached));
    let found: readonly (ReportedBlock | null)[] = [];
    // A node on another fork can hide that the others agree about an earlier block.
    for (const number of [...ends].sort((one, other) => other - one)) {
      found = await readFromAll(voters, async (node) => {
        const head = last.get(node);
        if (head?.number === number) return head;
        if (head && head.number < number) return null;
        return readHeader(node.client, number);
      });
      const header = agreedHeader(found);
      if (header === null) continue;
      isDisputedForLong(false);
      noteWrong(header, voters, found);
      const nodesBefore = (other: number): readonly FollowedNode[] =>
        voters.filter((node) => (last.get(node)?.number ?? other) < other);
      const highest = Math.max(...present(numbers));
      const most = majorityOf(nodes.length);
      return { ...header, nodes: voters, most, highest, nodesBefore };
    }
    if (!isDisputedForLong(true)) return null;
    throw new BaseError(explain(voters, found));
  };
}

/**
 * Creates a function that returns the last block of each node that decides. A node
 * that responds is never silent, even if it lags behind.
 */
function createReadLast({
  nodes,
  onAlone,
  patienceMs,
}: HeadOptions): () => Promise<
  ReadonlyMap<FollowedNode, ReportedBlock | null>
> {
  const voters = createVoters(nodes.length, patienceMs, onAlone);
  return async () => {
    const read = ({ client }: FollowedNode) => readHead(client);
    const asked = askAll(nodes, read, undefined, voters.areFew());
    // After an outage of all nodes, the first one that is back must not be alone.
    asked.catch(voters.forget);
    const last = await asked;
    const heads = nodes.map((node, i) => [node, last[i] ?? null] as const);
    const responding = heads.filter(([, head]) => head !== null);
    const decides = voters.choose(
      new Set(responding.map(([{ position }]) => position)),
    );
    const isSilent = responding.length < majorityOf(nodes.length);
    if (isSilent && !voters.areFew())
      throw new BaseError("most nodes do not respond");
    return new Map(heads.filter(([{ position }]) => decides[position]));
  };
}

/**
 * Reads the block with a number that a majority of the nodes reports.
 *
 * Errors: any error from viem; BaseError if there is none, so that nothing is
 * done because of a node that lags behind or is on another fork.
 */
export async function readAgreedHeader(
  nodes: readonly FollowedNode[],
  number: number,
): Promise<ReportedBlock> {
  const found = await readFromAll(nodes, ({ client }) =>
    readHeader(client, number),
  );
  const header = agreedHeader(found);
  if (header === null) throw new BaseError(explain(nodes, found));
  return header;
}

function readFromAll(
  nodes: readonly FollowedNode[],
  read: (node: FollowedNode) => Promise<ReportedBlock | null>,
): Promise<readonly (ReportedBlock | null)[]> {
  return askAll(nodes, read, (found) => agreedHeader(found) !== null);
}

/**
 * Reads the blocks with the given numbers in batches. Returns null if a majority
 * does not report the same for one of them at the moment.
 *
 * Input: the nodes that return blocks, among which `voters` chooses those that
 * decide. The default is all nodes.
 * Errors: any error from viem, if no node responds; BaseError if most do not.
 */
export async function readAgreedHeaders(
  nodes: readonly FollowedNode[],
  numbers: readonly number[],
  voters?: Voters,
): Promise<readonly ReportedBlock[] | null> {
  type Blocks = readonly (ReportedBlock | null)[];
  const byNumber = (answers: readonly (Blocks | null)[]): readonly Blocks[] =>
    numbers.map((_, index) => answers.map((each) => each?.[index] ?? null));
  const agreedIn = (
    blocks: readonly Blocks[],
  ): readonly ReportedBlock[] | null => {
    const headers = blocks.map(agreedHeader);
    return headers.every((header) => header !== null) ? headers : null;
  };
  const asked = askAll(
    nodes,
    (node) => readInBatches(node, numbers, readHeader),
    (all) => agreedIn(byNumber(all)) !== null,
  );
  asked.catch(() => voters?.forget());
  const found = await asked;
  const blocks = byNumber(found);
  const agreed = agreedIn(blocks);
  if (agreed !== null) {
    voters?.forget();
    return agreed;
  }
  const having = nodes.filter((_, i) => blocks.every((each) => each[i]));
  const decides = voters?.choose(
    new Set(having.map(({ position }) => position)),
  );
  if (decides !== undefined && voters?.areFew() === true) {
    const isVoter = nodes.map(({ position }) => decides[position]);
    return agreedIn(blocks.map((each) => each.filter((_, i) => isVoter[i])));
  }
  if (present(found).length < majorityOf(nodes.length))
    throw new BaseError("most nodes do not return blocks");
  return null;
}

/**
 * Returns the block that a majority of the nodes reports, or null. Nodes without
 * Bloom filters agree with others, but then the filter does not count, because a
 * minority could have invented it.
 */
function agreedHeader(
  found: readonly (ReportedBlock | null)[],
): ReportedBlock | null {
  const agreed = agreedBy(found, keyOf);
  if (agreed !== null) return agreed;
  for (const header of present(found)) {
    const filled = found.map((each) => each && withBloom(each, header));
    const same = agreedBy(filled, keyOf);
    if (same !== null) return { ...same, logsBloom: "0x" };
  }
  return null;
}

/** Returns a block without a Bloom filter with the one of another node. */
function withBloom(
  header: ReportedBlock,
  { logsBloom }: ReportedBlock,
): ReportedBlock {
  return header.logsBloom === "0x" ? { ...header, logsBloom } : header;
}

/** Equal for all nodes that report the same block with the same contents. */
function keyOf(header: ReportedBlock): string {
  const { hash, logsBloom, minedAt, number, parentHash } = header;
  const parts = [number, hash, parentHash, minedAt.getTime(), logsBloom];
  return parts.join().toLowerCase();
}

/**
 * Explains why a majority of the nodes does not report the same block. The text has
 * no number, because a reason is logged whenever it changes.
 */
function explain(
  nodes: readonly FollowedNode[],
  found: readonly (ReportedBlock | null)[],
): string {
  const [one, ...others] = found.flatMap((header, index) => {
    const url = (nodes[index]?.position ?? 0) + 1;
    return header === null ? [] : [{ url, key: keyOf(header) }];
  });
  const other = others.find(({ key }) => key !== one?.key);
  return one === undefined || other === undefined
    ? "too few nodes have the same block"
    : `RPC URLs ${one.url} and ${other.url} report different blocks`;
}
