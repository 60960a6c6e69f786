import { setTimeout as sleep } from "node:timers/promises";

/** Prevents callers from waiting for a dependency that does not respond. */
export interface Circuit {
  /** Whether callers are rejected until the dependency responds again. */
  readonly isOpen: boolean;
  /**
   * Runs a request and waits for its result.
   *
   * Errors: any error from `ask`; the error from `refuse` once the dependency
   * is known not to respond.
   */
  run<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Options for detecting that a dependency does not respond, and for rejecting
 * callers.
 */
export interface CircuitOptions {
  /** Sends a probe. An error also counts as a response. */
  readonly probe: () => Promise<unknown>;
  readonly refuse: () => Error;
}

/**
 * Times are measured in ticks. A suspended process misses ticks, so it does not
 * mistake its own suspension for an unresponsive dependency.
 */
const tickMs = 200;

/** The number of ticks after which a response is late and a probe is sent. */
const lateTicks = 2;

/**
 * The number of ticks after which a probe times out. An unresponsive dependency
 * is detected within 2 s.
 */
const probeTicks = 6;

/**
 * Creates a circuit breaker. It monitors the dependency while callers are
 * waiting for a response.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { probe, refuse } = options;
  const asked = new Set<{
    readonly since: number;
    isAnswered: boolean;
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
    // A busy dependency may answer requests sooner than a new connection.
    const pending = [...asked];
    const isKnown = (): boolean =>
      hasAnswered || pending.some(({ isAnswered }) => isAnswered);
    probe().then(onAnswer, onAnswer);
    for (let ticks = 0; ticks < probeTicks && !isKnown(); ticks += 1) {
      await tick();
    }
    return isKnown();
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
        const fail = (): void => reject(refuse());
        const entry = { since: now, isAnswered: false, fail };
        if (isOpen) return fail();
        asked.add(entry);
        if (!isWatching) void watch();
        isWatching = true;
        ask()
          .finally(() => asked.delete(entry))
          .then((answer) => {
            entry.isAnswered = true;
            resolve(answer);
          }, reject);
      }),
  };
}
