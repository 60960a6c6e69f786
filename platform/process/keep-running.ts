import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

/** What may end by itself, and be stopped. */
export interface Stoppable {
  /** Settles when it has ended, by itself or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Something that is started again whenever it ends. */
export interface Kept<Thing extends Stoppable> {
  /** The one that was started last. */
  current(): Thing;
  stop(): Promise<void>;
}

/** Between two tries to start it again. */
const pauseMs = 500;

/**
 * Starts something, and starts it again should it end before it is stopped.
 *
 * Errors: what `start` rejects with the first time; later ones are logged.
 */
export async function keepRunning<Thing extends Stoppable>(
  name: string,
  log: Logger,
  start: () => Promise<Thing>,
): Promise<Kept<Thing>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = await start();
  const restart = async (): Promise<void> => {
    try {
      current = await start();
    } catch (error) {
      log.error({ err: error }, `${name} does not start`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      if (signal.aborted) return;
      log.error(`${name} has ended by itself; starting it again`);
      await restart();
      // It may have been stopped meanwhile, before it was there to be.
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
