import { builtInErrors, RpcError } from "../../wire/errors.js";
import { SharedDeadline, startDeadline, type Waiting } from "./deadline.js";

/**
 * Limits on the size of a request body, and on how long it may take to arrive.
 */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds for the body, excluding the time that `minRate` adds. */
  readonly timeoutMs: number;
  /** Number of bytes that extend the time by a second. */
  readonly minRate: number;
  /** The shared timer for bodies that have just begun to arrive. */
  readonly deadline: SharedDeadline;
}

/**
 * Returns the limits for bodies. Default: a timeout of 10 seconds, and a
 * minimum rate of 500 bytes per second.
 */
export function createBodyLimits(
  maxBytes: number,
  timeoutMs = 10_000,
  minRate = 500,
): BodyLimits {
  const deadline = new SharedDeadline(timeoutMs);
  return { maxBytes, timeoutMs, minRate, deadline };
}

/**
 * Monitors how fast a body arrives. Counts only the time that the server spends
 * waiting for the client, not the time during which it is not reading.
 */
export class BodyPace implements Waiting {
  deadline = 0;
  readonly #limits: BodyLimits;
  readonly #onSlow: (error: RpcError) => void;
  #byteLength = 0;
  #waitedMs = 0;
  #startedAt = 0;
  #stopTimer: (() => void) | null = null;

  /** `onSlow` is called once, if the body takes too long. */
  constructor(limits: BodyLimits, onSlow: (error: RpcError) => void) {
    this.#limits = limits;
    this.#onSlow = onSlow;
  }

  /** Starts waiting for the client. */
  start(): void {
    this.#startedAt = performance.now();
    this.#arm();
  }

  /** Counts bytes that have arrived. */
  add(byteLength: number): void {
    this.#byteLength += byteLength;
  }

  /** Stops waiting, because the server is not reading at the moment. */
  stop(): void {
    this.#waitedMs += performance.now() - this.#startedAt;
    this.#limits.deadline.stop(this);
    this.#stopTimer?.();
  }

  /**
   * Called when the timer fires. Bytes that have arrived since it was set
   * extend the time.
   */
  expire(): void {
    const now = performance.now();
    this.#waitedMs += now - this.#startedAt;
    this.#startedAt = now;
    // Timers can fire a fraction of a millisecond early.
    if (this.#leftMs() > 1) this.#arm();
    else this.#onSlow(bodyTooSlow());
  }

  #leftMs(): number {
    const { minRate, timeoutMs } = this.#limits;
    return timeoutMs + (this.#byteLength / minRate) * 1000 - this.#waitedMs;
  }

  #arm(): void {
    const leftMs = this.#leftMs();
    this.deadline = this.#startedAt + leftMs;
    this.#stopTimer = startDeadline(this.#limits.deadline, leftMs, this);
  }
}

/**
 * Creates the error for a body that arrived too slowly: `WebrpcRequestFailed`
 * with 408.
 */
function bodyTooSlow(): RpcError {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status: 408 };
  return new RpcError(definition, { cause: "the body arrived too slowly" });
}
