import { currentSignal, throwIfGone } from "./caller.js";
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
  const waiting = new Set<{ readonly item: Item }>();
  const runNext = shareNextAnswer(() => {
    const items = [...waiting].map(({ item }) => item);
    waiting.clear();
    return run(items);
  });
  return async (item) => {
    throwIfGone();
    const entry = { item };
    let hasLeft = false;
    const leave = (): void => void (hasLeft = waiting.delete(entry));
    const signal = currentSignal();
    signal?.addEventListener("abort", leave, { once: true });
    waiting.add(entry);
    await runNext("");
    if (hasLeft) signal?.throwIfAborted();
  };
}
