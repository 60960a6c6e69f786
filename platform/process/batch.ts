/**
 * Combines items into batches. While a batch runs, new items wait and then form
 * the next batch.
 *
 * Returns a function that adds an item and settles when its batch is done.
 */
export function createBatch<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: Item[] = [];
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const runWaiting = (): Promise<void> => {
    const items = waiting;
    waiting = [];
    next = null;
    current = run(items);
    return current;
  };
  return (item) => {
    waiting.push(item);
    next ??= current.then(runWaiting, runWaiting);
    return next;
  };
}
