import type { Logger } from "pino";

import { pause } from "./pause.js";

/** Resources that must be closed. */
export interface Cleanup {
  /** Adds a resource, which is closed before all resources added earlier. */
  add(name: string, close: Close): void;
  /**
   * Adds a resource, which is closed together with the previously added one.
   */
  addBeside(name: string, close: Close): void;
  /**
   * Closes all resources in reverse order, even if some of them fail to close.
   */
  run(): Promise<void>;
}

type Close = () => Promise<void>;

/** The total time limit. Orchestrators kill a process after 30 seconds. */
const maxMs = 24_000;

/**
 * Creates an empty list of resources to close.
 *
 * Input: `maxStepMs` is how long a resource may take to close before it is
 * abandoned.
 */
export function createCleanup(log: Logger, maxStepMs = 12_000): Cleanup {
  const steps: Map<string, Close>[] = [];
  const closeOne = async (name: string, close: Close): Promise<void> => {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, `failed to close ${name}`);
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
          pause(Math.max(0, Math.min(maxStepMs, left)), end.signal),
        ]);
        end.abort();
        for (const name of open) log.error(`${name} did not close in time`);
      }
    },
  };
}
