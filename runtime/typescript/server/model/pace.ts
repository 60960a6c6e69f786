import { SharedDeadline, startDeadline, type Waiting } from "./deadline.js";

/** How slowly a client may send a body or take a response. */
export interface PaceLimits {
  /** Milliseconds for the whole body, excluding the time that bytes add. */
  readonly timeoutMs: number;
  /** Number of bytes that extend the time by a second. */
  readonly minRate: number;
  /** Maximum of the remaining time in milliseconds. */
  readonly maxLeftMs: number;
  /** The shared timer for bodies whose whole `timeoutMs` is left. */
  readonly deadline: SharedDeadline;
}

/**
 * Monitors how fast bytes arrive or leave. Counts only the time that the server
 * spends waiting for the client.
 */
export class Pace implements Waiting {
  deadline = 0;
  readonly #limits: PaceLimits;
  readonly #onSlow: () => void;
  #leftMs: number;
  #startedAt = 0;
  #isWaiting = false;
  #stopTimer: (() => void) | null = null;

  /** `onSlow` is called once, if the client is too slow. */
  constructor(limits: PaceLimits, onSlow: () => void) {
    this.#limits = limits;
    this.#onSlow = onSlow;
    this.#leftMs = limits.timeoutMs;
  }

  /** Starts waiting for the client. */
  start(): void {
    this.#isWaiting = true;
    this.#startedAt = performance.now();
    this.#arm();
  }

  /** Counts bytes that have arrived or left. */
  add(byteLength: number): void {
    const { maxLeftMs, minRate, timeoutMs } = this.#limits;
    const leftMs = this.#leftMs + (byteLength / minRate) * 1000;
    // A rate of 0 only limits the time without any bytes.
    this.#leftMs = Math.min(leftMs, leftMs < Infinity ? maxLeftMs : timeoutMs);
  }

  /** Stops waiting, until the next `start`. Has no effect if nothing waits. */
  stop(): void {
    if (!this.#isWaiting) return;
    this.#leftMs -= performance.now() - this.#startedAt;
    this.end();
  }

  /** Stops waiting for good. On some hosts, asking for the time costs time. */
  end(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#limits.deadline.stop(this);
    this.#stopTimer?.();
  }

  /**
   * Called when the timer fires. Bytes that were counted since it was set extend
   * the time.
   */
  expire(): void {
    const now = performance.now();
    this.#leftMs -= now - this.#startedAt;
    this.#startedAt = now;
    // Timers can fire a fraction of a millisecond early.
    if (this.#leftMs > 1) return this.#arm();
    this.#isWaiting = false;
    this.#onSlow();
  }

  #arm(): void {
    const { deadline } = this.#limits;
    // A shared timer costs nothing, and whoever has more time left is asked again.
    const waitMs = Math.min(this.#leftMs, deadline.timeoutMs);
    this.deadline = this.#startedAt + waitMs;
    this.#stopTimer = startDeadline(deadline, waitMs, this);
  }
}

/**
 * Returns the limits for responses. Default: the client must take some data
 * within 30 seconds, and 500 bytes per second on average.
 */
export function createSendLimits(
  timeoutMs = 30_000,
  minRate = 500,
): PaceLimits {
  const deadline = new SharedDeadline(timeoutMs);
  // Without a maximum, the megabytes that the operating system accepts for a
  // client would allow it to take nothing for hours.
  return {
    timeoutMs,
    minRate: positive(minRate),
    maxLeftMs: timeoutMs,
    deadline,
  };
}

/** Returns a rate at which a byte takes any time and no bytes take none. */
export function positive(minRate: number): number {
  return minRate || Number.MIN_VALUE;
}

/** The limits of responses that belong to no method. */
export const defaultSendLimits: PaceLimits = /* @__PURE__ */ createSendLimits();
