import { asNobody } from "./caller.js";

/** Runs work, or waits for running work with the same key. */
export type ShareWork<Answer> = (
  key: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Creates a function that shares running work between callers with the same
 * key.
 */
export function createShare<Answer>(): ShareWork<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (key, work) => {
    const found = underWay.get(key);
    if (found !== undefined) return found;
    const started = asNobody(work).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
