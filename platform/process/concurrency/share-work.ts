import { type Audience, createAudience, whilePresent } from "./caller.js";

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
    { readonly answer: Promise<Answer>; readonly callers: Audience }
  >();
  return (key, work) => {
    const found = underWay.get(key);
    if (found !== undefined && found.callers.whyGone() === undefined) {
      found.callers.join();
      return found.answer;
    }
    const callers = createAudience();
    callers.join();
    const forget = (): void => {
      if (underWay.get(key) === entry) underWay.delete(key);
    };
    const answer = whilePresent(callers, work).finally(forget);
    const entry = { answer, callers };
    underWay.set(key, entry);
    return answer;
  };
}
