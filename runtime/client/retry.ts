import type { ClientInterceptor } from "./call.js";
import { hearRetryAfter } from "./retry-after.js";
import { memberOf } from "../values/member.js";
import { maxTimerMs } from "../values/timer.js";

/** When a call is made again. */
export interface RetryOptions {
  /** How often to try at most, the first time included; 3 unless given. */
  readonly attempts?: number;
  /**
   * Milliseconds before the second attempt, about; 200 unless given. Doubles with
   * every attempt. An answer with `Retry-After` says it better.
   */
  readonly backoffMs?: number;
  /** The longest wait; who is told to wait longer gives up. 10,000 unless given. */
  readonly maxBackoffMs?: number;
  /**
   * Which share of a delay is left to chance, 0 to 1, so that clients which failed
   * at once do not come back at once; 0.5 unless given.
   */
  readonly jitter?: number;
  /**
   * Which errors may be over soon: unless given, TransportErrors for `network`,
   * and the statuses 429, 502, 503 and 504.
   */
  readonly isPassing?: (error: unknown) => boolean;
}

/**
 * Calls again what failed, if the contract says that this does no harm
 * (`@idempotent`, `@readonly`). Everything together has to be done within
 * `timeoutMs`; a wait that would go beyond is not begun.
 *
 * Example: `use: [retry({ attempts: 5 })]`.
 */
export function retry(options: RetryOptions = {}): ClientInterceptor {
  const { attempts = 3, isPassing = isPassingError } = options;
  return (next) => async (call) => {
    if ((call.method.safety ?? "none") === "none") return next(call);
    const start = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const heard = hearRetryAfter(call.fetch);
      const { fetch } = heard;
      try {
        return await next(
          attempt === 1 ? { ...call, fetch } : { ...call, fetch, attempt },
        );
      } catch (error) {
        const delayMs = heard.delayMs() ?? delayOf(attempt, options);
        const spentMs = performance.now() - start;
        const isOver =
          attempt >= attempts ||
          delayMs > Math.min(options.maxBackoffMs ?? 10_000, maxTimerMs) ||
          spentMs + delayMs >= (call.timeoutMs ?? Infinity);
        if (isOver || !isPassing(error)) throw error;
        await pause(delayMs, call.signal);
      }
    }
  };
}

function isPassingError(error: unknown): boolean {
  const reason = memberOf(error, "reason");
  // What came in place of an answer may have a status of its own.
  const isAnswer = reason === undefined || reason === "bad-response";
  return (
    reason === "network" ||
    (isAnswer &&
      [429, 502, 503, 504].includes(Number(memberOf(error, "status"))))
  );
}

function delayOf(attempt: number, options: RetryOptions): number {
  const { backoffMs = 200, maxBackoffMs = 10_000, jitter = 0.5 } = options;
  const delayMs = Math.min(maxBackoffMs, backoffMs * 2 ** (attempt - 1));
  return delayMs * (1 - jitter * Math.random());
}

/** Errors: the reason of the signal. */
function pause(delayMs: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
  });
}
