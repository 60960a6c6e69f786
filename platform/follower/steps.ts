import type { Logger } from "pino";
import { BaseError } from "viem";

import {
  type AgreedHead,
  readAgreedHeader,
  type ReadAgreedHead,
} from "./agreed-headers.js";
import type { BlockConsumer, ReadBlock } from "./block.js";
import { createRepair, type LogPatience } from "./late-logs.js";
import { createPatience } from "./patience.js";
import {
  addBlocks,
  retainedBlocks,
  type FollowerIdentity,
  type Position,
  readCanonical,
  removeBlocks,
  recordCurrent,
} from "./progress.js";
import type { ReadAhead } from "./read-ahead.js";
import type { LogSource } from "./read-blocks.js";

/** The dependencies of a step. */
export interface StepOptions extends Omit<LogSource, "nodes"> {
  readonly place: FollowerIdentity;
  readonly consumer: BlockConsumer;
  readonly readHead: ReadAgreedHead;
  readonly readAhead: ReadAhead;
  readonly waitForLogs: LogPatience;
  readonly log: Logger;
  /** How long a step waits for blocks that nodes lack, until it is an error. */
  readonly patienceMs: number;
  /** The interval at which blocks without all logs are read again. */
  readonly repairMs: number;
  readonly onProgress: (lag: number) => void;
}

/**
 * Takes one step along the chain from a position, either forward or back to
 * where the chain forked from the stored blocks.
 *
 * Returns null if there is nothing to do, or if the step must be retried
 * because the chain has changed in the meantime or the nodes do not agree.
 * Errors: any error from the chain, the database, or the consumer. After an
 * error, nothing has changed.
 */
export type Step = (position: Position) => Promise<Position | null>;

/** Creates the step that a follower repeats. */
export function createStep(options: StepOptions): Step {
  const { consumer, onProgress, patienceMs, place } = options;
  const isShortForLong = createPatience(patienceMs);
  const isLateForLong = createPatience(patienceMs);
  const isChangingForLong = createPatience(patienceMs);
  const repair = createRepair({ ...options, intervalMs: options.repairMs });

  /** Chooses the next step if no new block extends the stored blocks. */
  const handleShortChain = async (
    head: AgreedHead,
    { tip }: Position,
  ): Promise<Position | null> => {
    if (tip === null || head.number >= tip.number) return goBack(options, head);
    const known = await readCanonical(place);
    const same = known.find(({ number }) => number === head.number);
    if (same !== undefined && same.hash !== head.hash) {
      return goBack(options, head);
    }
    const before = head.nodesBefore(tip.number);
    // Nodes that decide alone can lag behind blocks that a majority has reported.
    const isShorter = before.length >= head.most;
    const isLate = isLateForLong(!isShorter);
    if (isShortForLong(isShorter)) return goBack(options, head);
    // The others must not decide alone, because they could have invented blocks.
    if (!isLate) return null;
    const url = (before[0]?.position ?? 0) + 1;
    throw new BaseError(`RPC URL ${url} lags behind`);
  };

  const noteLongChain = (): void => {
    isShortForLong(false);
    isLateForLong(false);
  };
  return async (position) => {
    const { nextNumber, tip } = position;
    const askedAt = performance.now();
    const head = await options.readHead();
    if (head === null) return null;
    onProgress(Math.max(head.highest + 1 - nextNumber, 0));
    if (head.number < nextNumber) {
      const isSame = tip === null || tip.hash === head.hash;
      if (!isSame) return handleShortChain(head, position);
      noteLongChain();
      await recordCurrent(place, askedAt);
      await repair(head.nodes);
      return null;
    }
    noteLongChain();
    const read = await options.readAhead(nextNumber, head);
    if (isChangingForLong(read === null)) {
      throw new BaseError("the nodes do not agree about the next blocks");
    }
    const [first] = read ?? [];
    if (read === null || first === undefined) return null;
    if (!(await extendsTip(head, position, first))) {
      return goBack(options, head);
    }
    const blocks = options.waitForLogs.admit(read);
    const last = blocks.at(-1);
    if (last === undefined) return null;
    const currentAt = last.hash === head.hash ? askedAt : null;
    const { number } = head;
    return addBlocks(place, consumer, blocks, { number, currentAt });
  };
}

/**
 * Returns whether a block comes after the stored ones. If there are blocks
 * between them that were not read, the last stored block must still be in the
 * chain.
 */
async function extendsTip(
  { nodes }: AgreedHead,
  { nextNumber, tip }: Position,
  first: ReadBlock,
): Promise<boolean> {
  if (tip === null) return true;
  if (first.number === nextNumber) return first.parentHash === tip.hash;
  return (await readAgreedHeader(nodes, tip.number)).hash === tip.hash;
}

/** Removes the blocks that are no longer in the chain of most nodes. */
async function goBack(
  { consumer, log, place }: StepOptions,
  head: AgreedHead,
): Promise<Position | null> {
  const known = await readCanonical(place);
  const fork = await findFork(known, head);
  const lowest = known.at(-1)?.number ?? head.number + 1;
  // If the fork is deeper than the stored blocks, resume at the lowest one.
  const nextNumber = fork ?? Math.min(lowest, head.number + 1);
  const { follower, chainId } = place;
  const facts = { follower, chainId, nextNumber };
  if (fork === null && known.length >= retainedBlocks) {
    log.error(facts, "the chain has forked below the stored blocks");
  }
  const { position, count } = await removeBlocks(place, consumer, nextNumber);
  log.info({ ...facts, blocks: count }, "blocks were removed from the chain");
  return position;
}

/**
 * Finds the last stored block that is still in the chain. Returns the number
 * after it, or null if all stored blocks differ.
 *
 * Errors: any error from viem; BaseError if a majority of the nodes does not
 * report the same block.
 */
async function findFork(
  known: readonly { readonly number: number; readonly hash: string }[],
  head: AgreedHead,
): Promise<number | null> {
  for (const { number, hash } of known) {
    if (number > head.number) continue;
    const header = await readAgreedHeader(head.nodes, number);
    if (header.hash === hash) return number + 1;
  }
  return null;
}
