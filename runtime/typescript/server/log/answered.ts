/** How long to wait for a store, in milliseconds. */
const answerMs = 30_000;

/**
 * Returns the result of a store. Without a limit, one statement on a connection
 * that is silently lost would stop all readers of a topic.
 *
 * Errors: those of the store, and an `Error` after 30 seconds.
 */
export async function answered<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`no answer from the store in ${answerMs} ms`);
    timer = setTimeout(() => reject(error), answerMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
