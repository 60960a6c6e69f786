/** A sleep that other code can end early. */
export interface WakeUp {
  /**
   * Ends the current sleep. If there is none, the next sleep ends immediately.
   */
  wake(): void;
  /** Sleeps until woken, up to a maximum time. */
  sleep(maxMs: number): Promise<void>;
}

/** Creates a wake-up. */
export function createWakeUp(): WakeUp {
  let isWoken = false;
  let end: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      end?.();
    },
    sleep: async (maxMs) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = null;
      isWoken = false;
    },
  };
}
