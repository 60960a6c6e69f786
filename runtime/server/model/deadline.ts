import { builtInErrors, RpcError } from "../../wire/errors.js";
import { maxTimerMs } from "../../values/timer.js";

/** Header with which a client says how long it waits, in milliseconds. */
export const timeoutHeader = "request-timeout-ms";

/**
 * How long a request may take: what the client says, at most `limitMs`. A
 * header that is no number of milliseconds says nothing.
 */
export function readTimeout(header: string | null, limitMs: number): number {
  if (header === null || !/^[0-9]{1,10}$/u.test(header)) return limitMs;
  return Math.min(Number(header), limitMs);
}

/** One request that may be too late. */
export interface Waiting {
  /** When its time is up, as `performance.now()` counts. */
  readonly deadline: number;
  /** Called when the time is up. */
  expire(): void;
}

/**
 * The time limit of a method. Nearly all requests have their answer long
 * before, so they share a timer: one that waits costs no more than its place in
 * a set, in which the first is the next to be late.
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

  /** Calls `expire` when the time is up, unless `stop` is called before. */
  start(waiting: Waiting): void {
    if (this.#waiting.size === 0) this.#hold();
    this.#waiting.add(waiting);
  }

  /** Does nothing for what does not wait. */
  stop(waiting: Waiting): void {
    if (this.#waiting.delete(waiting) && this.#waiting.size === 0) {
      this.#release();
    }
  }

  /** Makes sure that the timer runs, and that the program waits for it. */
  #hold(): void {
    if (this.#timer === null) this.#arm(this.timeoutMs);
    else toNodeTimer(this.#timer)?.ref();
  }

  /** Nobody waits: the timer must not keep the program alive. */
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

/** Whether a timer is gone with the request that has started it, as on Workers. */
function endsWithRequest(): boolean {
  const { navigator }: { readonly navigator?: { readonly userAgent: string } } =
    Object(globalThis);
  return navigator?.userAgent === "Cloudflare-Workers";
}

/** A timer that can be told whether the program waits for it. */
interface NodeTimer {
  ref(): unknown;
  unref(): unknown;
}

/** null where timers are numbers. */
function toNodeTimer(timer: unknown): NodeTimer | null {
  const isObject = typeof timer === "object" && timer !== null;
  return isObject && "unref" in timer ? (timer as NodeTimer) : null;
}

/**
 * Waits for the time of a request to be up.
 *
 * Input: the limit of its method, and its own.
 * Output: what stops that; null where `shared.stop` does.
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

/** The error of an answer that took too long: `WebrpcRequestFailed` with 504. */
export function deadlineExceeded(timeoutMs: number): RpcError {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status: 504 };
  const cause = `no answer within ${String(timeoutMs)} ms`;
  return new RpcError(definition, { cause });
}
