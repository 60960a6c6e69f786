import { randomUUID } from "node:crypto";

import type { Kysely } from "kysely";
import type { Logger } from "pino";

import type { Tables } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readHead } from "../network/block-header.js";
import { openChainClient } from "../network/chain-client.js";
import type { Stoppable } from "../process/keep-running.js";
import { createWakeUp } from "../queue/wake-up.js";
import type { BlockConsumer } from "./block.js";
import { beginAt, hasBegun, type Place } from "./progress.js";
import type { LogFilter } from "./read-blocks.js";
import { createReadAhead } from "./read-ahead.js";
import { keepStepping } from "./keep-stepping.js";
import { createStep } from "./steps.js";
import { watchHeads } from "./watch-heads.js";

/** Who follows which chain, and what for. */
export interface FollowerOptions extends LogFilter {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  /** Each follower has a place of its own on each chain, by this name. */
  readonly name: string;
  readonly network: Network;
  readonly consumer: BlockConsumer;
  /** Where to begin, the first time; null: with the block after the last. */
  readonly firstBlock: number | null | (() => Promise<number>);
  /** Hears of each position: how many blocks there are yet to come. */
  readonly onProgress?: (lag: number) => void;
  /** After that long another instance takes over; 3000 unless given. */
  readonly leaseMs?: number;
  /**
   * How long a chain may be shorter than it was, as a node that lags behind
   * shows it, before its blocks count as gone; 15,000 unless given.
   */
  readonly patienceMs?: number;
}

/** How often a chain is asked for new blocks, unless the settings say. */
const defaultPollMs = 2000;

/** How many requests go in one, while there are many. */
const batchSize = 64;

/**
 * Follows a chain, block by block, each in a transaction of its own, until it is
 * stopped. Of several instances one follows, and another takes over when that
 * ends.
 */
export function startFollower(options: FollowerOptions): Stoppable {
  const { network, patienceMs = 15_000, leaseMs = 3000, log } = options;
  const { chainId, follow } = network;
  const place: Place = {
    database: options.database,
    follower: options.name,
    chainId,
    holder: randomUUID(),
    leaseMs,
  };
  const client = network.client();
  const batchClient = openChainClient(network, { batchSize, log });
  const wakeUp = createWakeUp();
  const step = createStep({
    place,
    client,
    log,
    patienceMs,
    consumer: options.consumer,
    readAhead: createReadAhead({ ...options, client, batchClient }),
    onProgress: options.onProgress ?? (() => undefined),
  });
  const begin = async (): Promise<void> => {
    if (await hasBegun(place)) return;
    const { firstBlock } = options;
    const first =
      typeof firstBlock === "function" ? await firstBlock() : firstBlock;
    await beginAt(place, first ?? (await readHead(client)).number + 1);
  };
  const { ended, stop } = keepStepping({
    ...{ place, begin, step, wakeUp, log },
    pollMs: follow?.pollMs ?? defaultPollMs,
  });
  const headsUrl = follow?.headsUrl ?? null;
  const unwatch =
    headsUrl === null ? null : watchHeads(headsUrl, () => wakeUp.wake());
  return {
    ended,
    stop: () => {
      unwatch?.();
      return stop();
    },
  };
}
