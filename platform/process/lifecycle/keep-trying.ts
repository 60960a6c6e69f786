import type { Logger } from "pino";

import { factsOf } from "../failures/error-facts.js";
import { pause } from "./pause.js";

/** Options for retrying. */
export interface KeepTryingOptions {
  /** Returns whether another attempt may succeed. */
  readonly isPassing: (error: unknown) => boolean;
  readonly log: Logger;
  readonly patienceMs?: number;
  /** Ends the attempts. */
  readonly signal?: AbortSignal | undefined;
}

/** The pause between attempts. */
const pauseMs = 250;

/**
 * Retries work until it succeeds, for a minute by default.
 *
 * Errors: any error from `work` that is not temporary; the last error once time
 * is up or the signal is aborted.
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
      log.warn(factsOf(error), "cannot start yet; trying again");
      await pause(pauseMs, signal);
      if (signal?.aborted) throw error;
    }
  }
}
