/** Does work, or waits for that of the same key which is under way. */
export type ShareWork<Answer> = (
  key: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

/** Lets those who want the same at the same time share the work of one. */
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
