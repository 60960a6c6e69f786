/** A clock for time limits that also hold on a machine that stalls. */
export interface TickClock {
  /** Returns the time in milliseconds. */
  now(): number;
  stop(): void;
}

const tickMs = 20;

/**
 * Starts a clock that counts ticks. While this machine stalls, it misses ticks,
 * like the platform's circuit breakers.
 */
export function startTickClock(): TickClock {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), tickMs);
  return { now: () => ticks * tickMs, stop: () => clearInterval(timer) };
}
