import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

/** What is tried again, and for how long. */
export interface KeepTryingOptions {
  /** Whether another try may succeed. */
  readonly isPassing: (error: unknown) => boolean;
  readonly log: Logger;
  readonly patienceMs?: number;
  /** Ends the tries. */
  readonly signal?: AbortSignal | undefined;
}

/** Between two tries. */
const pauseMs = 250;

/**
 * Tries until it succeeds, for a minute unless told otherwise.
 *
 * Errors: those of `work` that do not pass; the last one when
 * time is up or no more is wanted.
 */
export async function keepTrying<Value>(
  work: () => Promise<Value>,
  { isPassing, log, patienceMs = 60_000, signal }: KeepTryingOptions,
): Promise<Value> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() > end) throw error;
      log.warn({ err: error }, "cannot start yet; trying again");
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
