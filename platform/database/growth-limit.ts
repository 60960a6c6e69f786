import type { Logger } from "pino";

import { createLimit } from "../process/concurrency/limit-work.js";
import { createShare } from "../process/concurrency/share-work.js";

/**
 * Records the size of what was stored for an owner, the values of the columns that
 * identify it. Waits if the owner's oldest rows have to be removed. Never rejects.
 */
export type NoteStored = (
  size: number,
  owner?: readonly unknown[],
) => Promise<void>;

/** Options of `createGrowthLimit`. */
export interface GrowthOptions {
  readonly log: Pick<Logger, "warn">;
  /** The limit on what is kept for each owner. */
  readonly max: number;
  /**
   * Removes an owner's oldest rows beyond the limit. Returns the size of all rows
   * that it has found.
   */
  readonly remove: (owner: readonly unknown[]) => Promise<number>;
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
}: GrowthOptions): NoteStored {
  const added = new Map<string, number>();
  const found = new Map<string, number>();
  const share = createShare<void>();
  // Many owners at once must not use up the connections to the database.
  const inTurn = createLimit(1, Infinity);
  return async (size, owner = []) => {
    const key = JSON.stringify(owner);
    const total = (added.get(key) ?? 0) + size;
    added.set(key, total);
    const whole = Math.max(max, found.get(key) ?? 0);
    if (total < whole * growthShare) return;
    await share(key, async () => {
      added.delete(key);
      found.set(key, await inTurn(() => remove(owner)));
    }).catch((error: unknown) => {
      // What was added is stored, and the next removal comes soon.
      log.warn({ err: error }, "cannot remove old data");
    });
  };
}
