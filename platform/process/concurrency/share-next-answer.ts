import { asShared } from "./caller.js";

/** The requests for one key. */
interface Line<Answer> {
  /** Settles when the running request completes. */
  last: Promise<unknown>;
  /**
   * The result of the next request, which has not started yet, or null if there
   * is none.
   */
  next: Promise<Answer> | null;
}

/**
 * Runs one request at a time per key. Callers that arrive in the meantime share
 * the next request, so no caller gets the result of a request that started
 * earlier.
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
    if (line.next !== null) return line.next;
    const sent = line.last.then(() => {
      line.next = null;
      return asShared(() => ask(key));
    });
    const forget = (): void => {
      if (line.last === ended) lines.delete(key);
    };
    const ended = sent.then(forget, forget);
    line.next = sent;
    line.last = ended;
    return sent;
  };
}
