import { builtInErrors, RpcError } from "../../wire/errors.js";
import { maxTimerMs } from "../../values/timer.js";
import { endsWithRequest } from "./request-scope.js";

/**
 * Header with the number of milliseconds that a client waits for a response.
 */
export const timeoutHeader = "request-timeout-ms";

/**
 * Returns the time limit of a request: the client's limit, but at most
 * `limitMs`. Ignores a header that is not a number of milliseconds.
 */
export function readTimeout(header: string | null, limitMs: number): number {
  if (header === null || !/^[0-9]{1,10}$/u.test(header)) return limitMs;
  return Math.min(Number(header), limitMs);
}

/** A request with a deadline. */
export interface Waiting {
  /** The deadline, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Called when the deadline passes. */
  expire(): void;
}

/**
 * The time limit of a method. Nearly all requests end long before their
 * deadline, so they share one timer. A waiting request is only an entry in a
 * set, ordered by deadline.
 */
export class SharedDeadline {
  readonly timeoutMs: number;
  /** Whether requests can share a timer at all. */
  readonly isUsable: boolean = !endsWithRequest();
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** Calls `expire` at the deadline, unless `stop` is called first. */
  start(waiting: Waiting): void {
    if (this.#waiting.size === 0) this.#hold();
    this.#waiting.add(waiting);
  }

  /** Stops waiting. Has no effect if the request is not waiting. */
  stop(waiting: Waiting): void {
    if (this.#waiting.delete(waiting) && this.#waiting.size === 0) {
      this.#release();
    }
  }

  /** Makes sure that the timer runs and keeps the program alive. */
  #hold(): void {
    if (this.#timer === null) this.#arm(this.timeoutMs);
    else toNodeTimer(this.#timer)?.ref();
  }

  /** Allows the program to exit, because no request is waiting. */
  #release(): void {
    if (this.#timer === null) return;
    const nodeTimer = toNodeTimer(this.#timer);
    if (nodeTimer !== null) {
      nodeTimer.unref();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => this.#expireLate(), ms);
  }

  #expireLate(): void {
    this.#timer = null;
    // Timers can fire a fraction of a millisecond early.
    const now = performance.now() + 1;
    const late: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (waiting.deadline > now) {
        this.#arm(waiting.deadline - now + 1);
        break;
      }
      this.#waiting.delete(waiting);
      late.push(waiting);
    }
    // Call these last, because they may start other deadlines and timers.
    for (const waiting of late) waiting.expire();
  }
}

/** A timer that can allow the program to exit. */
interface NodeTimer {
  ref(): unknown;
  unref(): unknown;
}

/**
 * Returns a timer as an object, or null on platforms where timers are numbers.
 */
function toNodeTimer(timer: unknown): NodeTimer | null {
  const isObject = typeof timer === "object" && timer !== null;
  return isObject && "unref" in timer ? (timer as NodeTimer) : null;
}

/**
 * Waits for the deadline of a request.
 *
 * Input: the limits of its method and of the request. Returns a function that
 * stops waiting, or null if `shared.stop` does that or there is no limit.
 */
export function startDeadline(
  shared: SharedDeadline,
  timeoutMs: number,
  waiting: Waiting,
): (() => void) | null {
  if (timeoutMs > maxTimerMs) return null;
  if (timeoutMs === shared.timeoutMs && shared.isUsable) {
    shared.start(waiting);
    return null;
  }
  const timer = setTimeout(() => waiting.expire(), timeoutMs);
  return () => clearTimeout(timer);
}

/**
 * Creates the error for a response that took too long: `WebrpcRequestFailed`
 * with 504.
 */
export function deadlineExceeded(timeoutMs: number): RpcError {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status: 504 };
  const cause = `no response within ${String(timeoutMs)} ms`;
  return new RpcError(definition, { cause });
}
