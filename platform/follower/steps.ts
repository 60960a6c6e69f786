import type { Logger } from "pino";
import { BaseError, type PublicClient } from "viem";

import {
  readHead,
  readHeader,
  type BlockHeader,
} from "../network/block-header.js";
import type { BlockConsumer, ReadBlock } from "./block.js";
import { createLogPatience, createRepair } from "./late-logs.js";
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
export interface StepOptions extends LogSource {
  readonly place: FollowerIdentity;
  readonly consumer: BlockConsumer;
  readonly readAhead: ReadAhead;
  readonly log: Logger;
  /** How long a step waits for blocks or logs that a node lacks. */
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
 * because the chain has changed in the meantime.
 * Errors: any error from the chain, the database, or the consumer. After an
 * error, nothing has changed.
 */
export type Step = (position: Position) => Promise<Position | null>;

/** Creates the step that a follower repeats. */
export function createStep(options: StepOptions): Step {
  const { client, consumer, onProgress, patienceMs, place } = options;
  let shortSince: number | null = null;
  const waitForLogs = createLogPatience(patienceMs, (number) => {
    const { follower, chainId } = place;
    options.log.warn({ follower, chainId, number }, "a block lacks logs");
  });
  const repair = createRepair({ ...options, intervalMs: options.repairMs });

  /** Chooses the next step if no new block extends the stored blocks. */
  const handleShortChain = async (
    head: BlockHeader,
    { tip }: Position,
  ): Promise<Position | null> => {
    if (tip === null || head.number >= tip.number) return goBack(options, head);
    const known = await readCanonical(place);
    const same = known.find(({ number }) => number === head.number);
    if (same !== undefined && same.hash !== head.hash) {
      return goBack(options, head);
    }
    shortSince ??= performance.now();
    const isOver = performance.now() - shortSince > patienceMs;
    return isOver ? goBack(options, head) : null;
  };

  return async (position) => {
    const { nextNumber, tip } = position;
    const askedAt = performance.now();
    const head = await readHead(client);
    onProgress(Math.max(head.number + 1 - nextNumber, 0));
    if (head.number < nextNumber) {
      const isSame = tip === null || tip.hash === head.hash;
      if (!isSame) return handleShortChain(head, position);
      shortSince = null;
      await recordCurrent(place, askedAt);
      await repair();
      return null;
    }
    shortSince = null;
    const read = await options.readAhead(nextNumber, head);
    const [first] = read ?? [];
    if (read === null || first === undefined) return null;
    if (!(await extendsTip(client, position, first))) {
      return goBack(options, head);
    }
    const blocks = waitForLogs(read);
    const last = blocks.at(-1);
    if (last === undefined) return null;
    const currentAt = last.hash === head.hash ? askedAt : null;
    return addBlocks(place, consumer, blocks, {
      ...{ number: head.number, currentAt },
    });
  };
}

/**
 * Returns whether a block comes after the stored ones. If there are blocks
 * between them that were not read, the last stored block must still be in the
 * chain.
 */
async function extendsTip(
  client: PublicClient,
  { nextNumber, tip }: Position,
  first: ReadBlock,
): Promise<boolean> {
  if (tip === null) return true;
  if (first.number === nextNumber) return first.parentHash === tip.hash;
  return (await readHeader(client, tip.number))?.hash === tip.hash;
}

/** Removes the blocks that are no longer in the chain. */
async function goBack(
  { client, consumer, log, place }: StepOptions,
  head: BlockHeader,
): Promise<Position | null> {
  const known = await readCanonical(place);
  const fork = await findFork(client, known, head);
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
 * Errors: any error from viem; BaseError if a node lacks a block.
 */
async function findFork(
  client: PublicClient,
  known: readonly { readonly number: number; readonly hash: string }[],
  head: BlockHeader,
): Promise<number | null> {
  for (const { number, hash } of known) {
    if (number > head.number) continue;
    const header = await readHeader(client, number);
    // If several nodes share a URL, one of them may lag behind.
    if (header === null) throw new BaseError(`a node lacks block ${number}`);
    if (header.hash === hash) return number + 1;
  }
  return null;
}
