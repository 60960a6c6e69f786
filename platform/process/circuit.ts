import { setTimeout as sleep } from "node:timers/promises";

/** Keeps callers from waiting for something that has fallen silent. */
export interface Circuit {
  /** Whether it is silent: callers are refused until it answers again. */
  readonly isOpen: boolean;
  /**
   * Asks, and waits for the answer.
   *
   * Errors: those of `ask`; the refusal as soon as silence is noticed.
   */
  run<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/** When silence is noticed, and how callers are refused. */
export interface CircuitOptions {
  /** Asks for a sign of life. Errors are one, too: only silence counts. */
  readonly probe: () => Promise<unknown>;
  readonly refuse: () => Error;
}

/**
 * All times are counted in ticks: a process that stands still for a while misses
 * ticks, and does not take its own silence for another's.
 */
const tickMs = 200;

/** After so many ticks an answer is late, and a sign of life is asked for. */
const lateTicks = 2;

/** A sign of life has so many; all in all, silence is noticed within 2 s. */
const probeTicks = 6;

/** Watches for as long as anybody waits for an answer. */
export function createCircuit(options: CircuitOptions): Circuit {
  const { probe, refuse } = options;
  const asked = new Set<{
    readonly since: number;
    readonly fail: () => void;
  }>();
  let now = 0;
  let isWatching = false;
  let isOpen = false;

  const tick = async (): Promise<void> => {
    await sleep(tickMs, undefined, { ref: false });
    now += 1;
  };
  const isAlive = async (): Promise<boolean> => {
    let hasAnswered = false;
    const onAnswer = (): void => void (hasAnswered = true);
    probe().then(onAnswer, onAnswer);
    for (let ticks = 0; ticks < probeTicks && !hasAnswered; ticks += 1) {
      await tick();
    }
    return hasAnswered;
  };
  const watch = async (): Promise<void> => {
    while (isOpen || asked.size > 0) {
      await tick();
      const isLate = [...asked].some(({ since }) => now - since >= lateTicks);
      if (!isOpen && !isLate) continue;
      isOpen = !(await isAlive());
      if (!isOpen) continue;
      for (const { fail } of asked) fail();
      asked.clear();
    }
    isWatching = false;
  };
  return {
    get isOpen() {
      return isOpen;
    },
    run: (ask) =>
      new Promise((resolve, reject) => {
        const entry = { since: now, fail: () => reject(refuse()) };
        if (isOpen) return entry.fail();
        asked.add(entry);
        if (!isWatching) void watch();
        isWatching = true;
        ask()
          .finally(() => asked.delete(entry))
          .then(resolve, reject);
      }),
  };
}
