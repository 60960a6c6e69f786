/** What somebody sleeps on until another one wakes it. */
export interface WakeUp {
  /** Ends the sleep; if nobody sleeps, the next one does not begin. */
  wake(): void;
  /** Sleeps until woken, but no longer than that. */
  sleep(maxMs: number): Promise<void>;
}

/** Nobody sleeps yet. */
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
