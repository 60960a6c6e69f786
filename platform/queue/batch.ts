/**
 * Does something for many at once: while it is under way, all that is asked for
 * waits, and is then done together.
 *
 * Output: does it for one of them, and settles when that is done.
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
