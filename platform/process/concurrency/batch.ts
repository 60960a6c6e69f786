import { shareNextAnswer } from "./share-next-answer.js";

/**
 * Combines items into batches. While a batch runs, new items wait and then form
 * the next batch.
 *
 * Returns a function that adds an item and settles when its batch is done.
 */
export function createBatch<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  const waiting: Item[] = [];
  const runNext = shareNextAnswer(() => run(waiting.splice(0)));
  return (item) => {
    waiting.push(item);
    return runNext("");
  };
}
