/** The questions of one key. */
interface Line<Answer> {
  /** Ends when the question that is under way is answered. */
  last: Promise<unknown>;
  /** The answer to the question that is not sent yet; null: there is none. */
  next: Promise<Answer> | null;
}

/**
 * Asks one question at a time for each key. Whoever asks meanwhile shares the
 * answer to the next one, so no answer is older than the question.
 *
 * Errors: those of `ask`.
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
      return ask(key);
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
