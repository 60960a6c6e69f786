import { createAudience, withSignal } from "./caller.js";

/** Runs work, or waits for running work with the same key. */
export type ShareWork<Answer> = (
  key: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Creates a function that shares running work between callers with the same
 * key. The caller that starts the work is charged for it. It leaves a queue when
 * all of its callers have left.
 */
export function createShare<Answer>(): ShareWork<Answer> {
  const underWay = new Map<
    string,
    { readonly answer: Promise<Answer>; readonly join: () => void }
  >();
  return (key, work) => {
    const found = underWay.get(key);
    if (found !== undefined) {
      found.join();
      return found.answer;
    }
    const { join, signal } = createAudience();
    const forget = (): void => {
      if (underWay.get(key) === entry) underWay.delete(key);
    };
    join();
    const entry = {
      answer: withSignal(() => signal, work).finally(forget),
      join,
    };
    if (signal.aborted) return entry.answer;
    underWay.set(key, entry);
    signal.addEventListener("abort", forget);
    return entry.answer;
  };
}
