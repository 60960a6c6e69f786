import type { Logger } from "pino";

/** What has been opened and will have to be closed. */
export interface Cleanup {
  add(name: string, close: () => Promise<void>): void;
  /** Closes everything, the last first; a failure does not stop the others. */
  run(): Promise<void>;
}

/** Nothing to close yet. */
export function createCleanup(log: Logger): Cleanup {
  const steps: {
    readonly name: string;
    readonly close: () => Promise<void>;
  }[] = [];
  return {
    add: (name, close) => void steps.push({ name, close }),
    run: async () => {
      for (const { name, close } of steps.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          log.error({ err: error }, `${name} does not close`);
        }
      }
    },
  };
}
