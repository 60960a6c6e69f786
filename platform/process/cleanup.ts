import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

/** What has been opened and will have to be closed. */
export interface Cleanup {
  /** Adds what is closed before all that was added earlier. */
  add(name: string, close: Close): void;
  /** Adds what is closed at the same time as what was added last. */
  addBeside(name: string, close: Close): void;
  /** Closes everything, the last first; a failure does not stop the others. */
  run(): Promise<void>;
}

type Close = () => Promise<void>;

/** Orchestrators kill after 30 seconds, and some clocks run ahead. */
const maxMs = 24_000;

/**
 * Nothing to close yet.
 *
 * Input: what does not close in `maxStepMs` is left behind.
 */
export function createCleanup(log: Logger, maxStepMs = 12_000): Cleanup {
  const steps: Map<string, Close>[] = [];
  const closeOne = async (name: string, close: Close): Promise<void> => {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, `${name} does not close`);
    }
  };
  return {
    add: (name, close) => void steps.push(new Map([[name, close]])),
    addBeside: (name, close) => void steps.at(-1)?.set(name, close),
    run: async () => {
      const deadline = performance.now() + maxMs;
      for (const step of steps.splice(0).reverse()) {
        const open = new Set(step.keys());
        const closing = [...step].map(async ([name, close]) => {
          await closeOne(name, close);
          open.delete(name);
        });
        const left = deadline - performance.now();
        const end = new AbortController();
        await Promise.race([
          Promise.all(closing),
          sleep(Math.max(0, Math.min(maxStepMs, left)), undefined, {
            signal: end.signal,
          }).catch(() => undefined),
        ]);
        end.abort();
        for (const name of open) log.error(`${name} does not close in time`);
      }
    },
  };
}
