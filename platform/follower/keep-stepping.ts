import type { Logger } from "pino";

import { factsOf } from "../process/failures/error-facts.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";
import type { WakeUp } from "../queue/wake-up.js";
import {
  giveUpLease,
  type FollowerIdentity,
  type Position,
  renewLease,
  takeLease,
} from "./progress.js";
import type { Step } from "./steps.js";

/** The step to repeat and its timing. */
export interface SteppingOptions {
  readonly place: FollowerIdentity;
  /** Makes sure that the start position is stored. */
  readonly begin: () => Promise<void>;
  readonly step: Step;
  readonly wakeUp: WakeUp;
  readonly log: Logger;
  /** The pause if there is nothing to do. */
  readonly pollMs: number;
}

/** The pause after an error. */
const pauseMs = 1000;

/** Takes steps while this instance has the lease. Otherwise, waits for it. */
export function keepStepping(options: SteppingOptions): Stoppable {
  const { begin, log, place, pollMs, step, wakeUp } = options;
  const { follower, chainId, leaseMs } = place;
  let isStopping = false;
  let hasBegun = false;
  let failure: string | null = null;

  /** Takes steps while this instance has the lease. */
  const stepWhileHeld = async (): Promise<void> => {
    if (!hasBegun) await begin();
    hasBegun = true;
    let position: Position | null = await takeLease(place);
    if (position === null) return wakeUp.sleep(leaseMs / 3);
    let isHeld = true;
    // A step can take longer than the lease, because nodes can be slow.
    const renewal = repeatUntilStopped(leaseMs / 3, async () => {
      isHeld = await renewLease(place).catch(() => isHeld);
    });
    try {
      while (isHeld && !isStopping) {
        const next: Position | null = await step(position);
        if (failure !== null)
          log.info({ follower, chainId }, "follows the chain again");
        failure = null;
        if (next !== null) position = next;
        else await wakeUp.sleep(pollMs);
      }
    } finally {
      await renewal.stop();
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await stepWhileHeld();
      } catch (error) {
        const facts = factsOf(error);
        // Log each failure once, because it can last a long time.
        if (facts.reason !== failure) {
          log.warn({ ...facts, follower, chainId }, "cannot follow the chain");
        }
        failure = facts.reason;
        if (!isStopping) await wakeUp.sleep(pauseMs);
      }
    }
    await giveUpLease(place).catch(() => undefined);
  };
  const ended = run();
  return {
    ended,
    stop: () => {
      isStopping = true;
      wakeUp.wake();
      return ended;
    },
  };
}
