import type { Logger } from "pino";

import { asShared, forever } from "../process/concurrency/caller.js";
import { createLimit } from "../process/concurrency/limit-work.js";
import { createShare } from "../process/concurrency/share-work.js";
import type { InTurn } from "./removal.js";
import type { Database } from "./schema.js";

/**
 * Records the size of what was stored for an owner, the values of the columns that
 * identify it. Waits if the owner's oldest rows have to be removed. Never rejects.
 */
export type NoteStored = (
  size: number,
  owner?: readonly unknown[],
) => Promise<void>;

/** Dependencies of a limit on stored rows. */
export interface GrowthParts {
  readonly database: Database;
  readonly log: Pick<Logger, "warn">;
  /** Ends removals, because the instance stops. */
  readonly stopping: AbortSignal;
}

/** Options of `createGrowthLimit`. */
export interface GrowthOptions extends Omit<GrowthParts, "database"> {
  /** The limit on what is kept for each owner. */
  readonly max: number;
  /**
   * Removes an owner's oldest rows beyond the limit, each statement in its turn.
   * Returns the size of all rows that it has found.
   */
  readonly remove: (
    owner: readonly unknown[],
    inTurn: InTurn,
  ) => Promise<number>;
}

/**
 * The share of the limit, or of the rows that were found if they are more because
 * some cannot be removed yet, that is added before the oldest ones are removed. The
 * work for each added row is therefore limited.
 */
const growthShare = 0.1;

/**
 * Limits what this instance adds to stored rows between two regular removals.
 * Whoever adds too much waits for the removal, and others do not.
 */
export function createGrowthLimit({
  log,
  max,
  remove,
  stopping,
}: GrowthOptions): NoteStored {
  const added = new Map<string, number>();
  const found = new Map<string, number>();
  const share = createShare<void>();
  // Many owners at once must not use up the connections to the database. They take
  // turns, because a removal can need many statements.
  const limit = createLimit(1, Infinity);
  return async (size, owner = []) => {
    const key = JSON.stringify(owner);
    const total = (added.get(key) ?? 0) + size;
    added.set(key, total);
    const whole = Math.max(max, found.get(key) ?? 0);
    if (total < whole * growthShare) return;
    const inTurn: InTurn = (work) =>
      limit(async () => {
        stopping.throwIfAborted();
        return work();
      });
    const removeOldest = async (): Promise<void> => {
      added.delete(key);
      found.set(key, await remove(owner, inTurn));
    };
    // It goes on if callers leave, because what they have added stays.
    const removal = asShared(() => share(key, removeOldest), forever);
    await removal.catch((error: unknown) => {
      // What was added is stored, and the next removal comes soon.
      if (!stopping.aborted) log.warn({ err: error }, "cannot remove old data");
    });
  };
}
