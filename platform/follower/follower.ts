import { randomUUID } from "node:crypto";

import type { Logger } from "pino";
import { BaseError } from "viem";

import type { Database } from "../database/schema.js";
import type { Contradiction } from "../network/agreement/contradiction.js";
import { noteContradictions } from "../network/agreement/note-contradictions.js";
import type { Network } from "../network/networks.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { createWakeUp } from "../queue/wake-up.js";
import { createReadHead } from "./agreed-headers.js";
import type { BlockConsumer, ReadBlock } from "./block.js";
import { createLogPatience } from "./late-logs.js";
import { openNodes } from "./nodes.js";
import { startAt, hasBegun, type FollowerIdentity } from "./progress.js";
import type { LogFilter } from "./read-blocks.js";
import { createReadAhead } from "./read-ahead.js";
import { keepStepping } from "./keep-stepping.js";
import { createStep } from "./steps.js";
import { createVoters } from "./voters.js";
import { watchHeads } from "./watch-heads.js";

/** Options of a follower. */
export interface FollowerOptions extends LogFilter {
  readonly database: Database;
  readonly log: Logger;
  /** The name under which the follower stores its position on each chain. */
  readonly name: string;
  readonly network: Network;
  readonly consumer: BlockConsumer;
  /**
   * The first block to process, or a function that finds it. Null starts after
   * the current head. Ignored if the follower already has a position.
   */
  readonly firstBlock: number | null | (() => Promise<number>);
  /** Called in each step with the number of blocks behind the head. */
  readonly onProgress?: (lag: number) => void;
  /** The maximum interval between requests for new blocks. */
  readonly maxPollMs?: number;
  /**
   * The delay before another instance takes over if this one dies. The default
   * is 3000.
   */
  readonly leaseMs?: number;
  /**
   * How long a chain can be shorter than the stored blocks before the missing
   * ones are treated as removed, because a lagging node can report a shorter
   * chain, and how long most nodes can fail before the others decide alone. The
   * default is 15,000.
   */
  readonly patienceMs?: number;
  /**
   * The interval at which blocks without all logs are read again. The default
   * is 10,000.
   */
  readonly repairMs?: number;
}

/**
 * The interval between requests for new blocks, unless the settings override
 * it.
 */
const defaultPollMs = 2000;

/**
 * Follows a chain until stopped. Each step adds or removes blocks in a single
 * transaction. Only one instance follows a chain at a time. If that instance
 * exits, another one takes over.
 */
export function startFollower(options: FollowerOptions): Stoppable {
  const { network, patienceMs = 15_000, leaseMs = 3000, log } = options;
  const { maxPollMs = Infinity } = options;
  const { chainId, follow } = network;
  const place: FollowerIdentity = {
    database: options.database,
    follower: options.name,
    chainId,
    holder: randomUUID(),
    leaseMs,
  };
  const nodes = openNodes(network);
  const { addresses } = options;
  const onWrong = (contradiction: Contradiction): void => {
    // A lost record does not matter, because lies are repeated.
    noteContradictions(options, network, [contradiction]).catch(() => null);
  };
  const about = { follower: options.name, chainId };
  const onAlone = (): void =>
    log.warn(about, "most nodes do not respond: others decide");
  const readHead = createReadHead({ nodes, patienceMs, onAlone, onWrong });
  const onGiveUp = ({ doubt, number }: ReadBlock): void =>
    log.warn({ ...about, number, reason: doubt }, "a block lacks logs");
  const waitForLogs = createLogPatience(nodes.length, patienceMs, onGiveUp);
  const source = {
    ...{ onWrong, isAlone: waitForLogs.isAlone },
    voters: createVoters(nodes.length, patienceMs, onAlone),
    ...(addresses !== undefined && { addresses }),
  };
  const wakeUp = createWakeUp();
  const step = createStep({
    ...source,
    ...{ place, log, patienceMs, readHead, waitForLogs },
    consumer: options.consumer,
    repairMs: options.repairMs ?? 10_000,
    readAhead: createReadAhead(source),
    onProgress: options.onProgress ?? (() => undefined),
  });
  const readNext = async (): Promise<number> => {
    const head = await readHead();
    if (head !== null) return head.number + 1;
    throw new BaseError("the nodes do not agree about the last block");
  };
  const begin = async (): Promise<void> => {
    if (await hasBegun(place)) return;
    const { firstBlock } = options;
    const first =
      typeof firstBlock === "function" ? await firstBlock() : firstBlock;
    await startAt(place, first ?? (await readNext()));
  };
  const { ended, stop } = keepStepping({
    ...{ place, begin, step, wakeUp, log },
    pollMs: Math.min(follow?.pollMs ?? defaultPollMs, maxPollMs),
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
