import { asShared, type Audience, createAudience, throwIf } from "./caller.js";

/** The requests for one key. */
interface Line<Answer> {
  /** Settles when the running request completes. */
  last: Promise<unknown>;
  /**
   * The result of the next request, which has not started yet, or null if there
   * is none.
   */
  next: NextRequest<Answer> | null;
}

/** A request that has not started yet. */
interface NextRequest<Answer> {
  readonly answer: Promise<Answer>;
  readonly callers: Audience;
}

/**
 * Runs one request at a time per key. Callers that arrive in the meantime share
 * the next request, so no caller gets the result of a request that started
 * earlier. A request leaves a queue when all of its callers have left.
 *
 * Errors: any error from `ask`.
 */
export function shareNextAnswer<Answer>(
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const lines = new Map<string, Line<Answer>>();
  const begin = (key: string): Line<Answer> => {
    const line: Line<Answer> = { last: Promise.resolve(), next: null };
    lines.set(key, line);
    return line;
  };
  return (key) => {
    const line = lines.get(key) ?? begin(key);
    const found = line.next;
    if (found !== null && found.callers.whyGone() === undefined) {
      found.callers.join();
      return found.answer;
    }
    const callers = createAudience();
    callers.join();
    const answer = line.last.then(() => {
      if (line.next === next) line.next = null;
      // Whoever has joined the next request must not lose what this one takes.
      throwIf(callers.whyGone());
      return asShared(() => ask(key), callers);
    });
    const next = { answer, callers };
    const forget = (): void => {
      if (line.last === ended) lines.delete(key);
    };
    const ended = answer.then(forget, forget);
    line.next = next;
    line.last = ended;
    return answer;
  };
}
