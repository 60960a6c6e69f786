import { currentPresence, throwIf, throwIfGone } from "./caller.js";
import { shareNextAnswer } from "./share-next-answer.js";

/**
 * Combines items into batches. While a batch runs, new items wait and then form
 * the next batch. An item whose caller leaves in the meantime is left out.
 *
 * Returns a function that adds an item and settles when its batch is done.
 * Errors of that function: any error from `run`; the reason of the caller's signal
 * if it aborts before the batch has started.
 */
export function createBatch<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  const waiting = new Set<Entry<Item>>();
  const runNext = shareNextAnswer(() => {
    const items: Item[] = [];
    for (const entry of waiting) {
      entry.reason = entry.whyGone();
      if (entry.reason === undefined) items.push(entry.item);
    }
    waiting.clear();
    return run(items);
  });
  return async (item) => {
    throwIfGone();
    const entry = { item, whyGone: currentPresence(), reason: undefined };
    waiting.add(entry);
    await runNext("");
    throwIf(entry.reason);
  };
}

/** An item that waits for a batch. */
interface Entry<Item> {
  readonly item: Item;
  readonly whyGone: () => unknown;
  /** Why it was left out, if it was. */
  reason: unknown;
}
