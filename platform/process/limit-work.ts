import { UnavailableError } from "../../generated/errors.js";

/** Begins work when its turn has come. */
export type LimitWork = <Answer>(
  work: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Limits how much work is under way, and how much waits for it.
 *
 * Errors of what it makes: those of the work; `Unavailable` when too much waits.
 */
export function createLimit(atOnce: number, waiting: number): LimitWork {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) {
        throw new UnavailableError({ cause: "too much is waiting already" });
      }
      // Who ends hands its place over.
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
