import { UnavailableError } from "../../generated/errors.js";

/** Runs work as soon as there is capacity. */
export type LimitWork = <Answer>(
  work: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Limits the amount of running and queued work.
 *
 * Errors of the returned function: any error from the work; `Unavailable` if
 * the queue is full.
 */
export function createLimit(atOnce: number, waiting: number): LimitWork {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) {
        throw new UnavailableError({ cause: "the queue is full" });
      }
      // When work finishes, it passes its slot to the next in the queue.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
