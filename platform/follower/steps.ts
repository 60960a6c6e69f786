import type { Logger } from "pino";
import type { PublicClient } from "viem";

import {
  type BlockHeader,
  readHead,
  readHeader,
} from "../network/block-header.js";
import type { BlockConsumer } from "./block.js";
import {
  addBlocks,
  keptBlocks,
  type Place,
  type Position,
  readCanonical,
  removeBlocks,
  sayCurrent,
} from "./progress.js";
import type { ReadAhead } from "./read-ahead.js";

/** What it takes to go on along a chain. */
export interface StepOptions {
  readonly place: Place;
  readonly consumer: BlockConsumer;
  readonly client: PublicClient;
  readonly readAhead: ReadAhead;
  readonly log: Logger;
  readonly patienceMs: number;
  readonly onProgress: (lag: number) => void;
}

/**
 * Goes one step along the chain from a position: forward, or back to where the
 * chain has parted from what is known of it.
 *
 * Output: null when there is nothing to do for now.
 * Errors: those of the chain, the database and the consumer; then nothing has
 * happened.
 */
export type Step = (position: Position) => Promise<Position | null>;

/** Makes the step that is taken again and again. */
export function createStep(options: StepOptions): Step {
  const { client, consumer, onProgress, patienceMs, place } = options;
  let shortSince: number | null = null;

  /** The chain is not longer than what is known of it. */
  const judgeShort = async (
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
      if (!isSame) return judgeShort(head, position);
      shortSince = null;
      await sayCurrent(place, askedAt);
      return null;
    }
    shortSince = null;
    const blocks = await options.readAhead.read(nextNumber, head);
    const [first] = blocks ?? [];
    if (blocks === null || first === undefined) return null;
    if (tip !== null && first.parentHash !== tip.hash) {
      return goBack(options, head);
    }
    const isLast = blocks.at(-1)?.hash === head.hash;
    return addBlocks(place, consumer, blocks, isLast ? askedAt : null);
  };
}

/** Removes the blocks that the chain does not have any more. */
async function goBack(
  { client, consumer, log, place }: StepOptions,
  head: BlockHeader,
): Promise<Position | null> {
  const known = await readCanonical(place);
  const fork = await findFork(client, known, head);
  const lowest = known.at(-1)?.number ?? head.number + 1;
  // Deeper than is known, it goes on where both are.
  const nextNumber = fork ?? Math.min(lowest, head.number + 1);
  const { follower, chainId } = place;
  const facts = { follower, chainId, nextNumber };
  if (fork === null && known.length >= keptBlocks) {
    log.error(facts, "the chain has changed deeper than its blocks are kept");
  }
  const { position, count } = await removeBlocks(place, consumer, nextNumber);
  log.info({ ...facts, blocks: count }, "blocks have gone out of the chain");
  return position;
}

/**
 * Output: the number of the first block that differs; null when all do.
 */
async function findFork(
  client: PublicClient,
  known: readonly { readonly number: number; readonly hash: string }[],
  head: BlockHeader,
): Promise<number | null> {
  for (const { number, hash } of known) {
    if (number > head.number) continue;
    const header = await readHeader(client, number);
    if (header?.hash === hash) return number + 1;
  }
  return null;
}
