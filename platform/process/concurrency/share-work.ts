/** Runs work, or waits for running work with the same key. */
export type ShareWork<Answer> = (
  key: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Creates a function that shares running work between callers with the same
 * key. The caller that starts the work is charged for it.
 */
export function createShare<Answer>(): ShareWork<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (key, work) => {
    const found = underWay.get(key);
    if (found !== undefined) return found;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
