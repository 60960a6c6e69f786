import type { Logger } from "pino";

import { pause } from "./pause.js";

/** A service that can exit on its own or be stopped. */
export interface Stoppable {
  /** Settles when it has ended, whether or not it was stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A program that can exit on its own or be stopped. */
export interface Program extends Stoppable {
  /** The last lines that it has printed. */
  readonly lastLines: readonly string[];
}

/** A program that is restarted whenever it ends. */
export interface Supervised<Thing extends Program> {
  /** Returns the most recently started program. */
  current(): Thing;
  stop(): Promise<void>;
}

/** The pause between restart attempts. */
const pauseMs = 500;

/**
 * Starts a program, and restarts it if it exits before it is stopped.
 *
 * Input: `start` may end early when its signal aborts, because of `stop`.
 * Errors: any error from the first `start`. Later errors are logged.
 */
export async function keepRunning<Thing extends Program>(
  name: string,
  log: Logger,
  start: (signal: AbortSignal) => Promise<Thing>,
): Promise<Supervised<Thing>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = await start(signal);
  const restart = async (): Promise<void> => {
    try {
      current = await start(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, `${name} did not start`);
      await pause(pauseMs, signal);
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      if (signal.aborted) return;
      const { lastLines } = current;
      log.error({ lastLines }, `${name} ended unexpectedly; restarting it`);
      await restart();
      // `stop` may have been called while the program was starting.
      if (signal.aborted) await current.stop();
    }
  };
  const watching = watch();
  return {
    current: () => current,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}
