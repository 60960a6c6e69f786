import type {
  ClientCall,
  ClientInterceptor,
  ClientNext,
  Fetch,
} from "./call.js";
import { parseObject } from "./client-method.js";
import { isTooLong } from "./limit-responses.js";
import { trackRetryAfter } from "./retry-after.js";
import { createTransportErrorAs } from "./transport-error.js";
import { memberOf } from "../values/member.js";
import { maxTimerMs } from "../values/timer.js";

/** Options for {@link retry}. */
export interface RetryOptions {
  /**
   * Maximum number of attempts, including the first. Requests that wait for a
   * call with the same key do not count. Default: 3.
   */
  readonly attempts?: number;
  /**
   * Maximum time in milliseconds until the response of an attempt has arrived
   * or, for downloads, has begun. An attempt that takes longer is repeated,
   * although its handler may still be running. Default: no limit.
   */
  readonly attemptTimeoutMs?: number;
  /**
   * Delay in milliseconds before the second attempt. It doubles with every
   * attempt, and `jitter` shortens it. `Retry-After` in a response takes
   * precedence. Default: 200.
   */
  readonly backoffMs?: number;
  /**
   * Maximum delay in milliseconds. If the server asks for a longer delay, the
   * call fails. Default: 10,000.
   */
  readonly maxBackoffMs?: number;
  /**
   * Maximum fraction, from 0 to 1, by which the client's own delays are randomly
   * shortened, so that clients do not retry together. Default: 0.5.
   */
  readonly jitter?: number;
  /**
   * Returns whether an error may be temporary. Not called for an attempt that
   * took too long. Default: the reason is `network`, the status is 429, 502, 503,
   * or 504, or the response has `Retry-After`, which `isAsked` tells.
   */
  readonly isPassing?: (error: unknown, isAsked: boolean) => boolean;
}

/**
 * Repeats failed calls to methods that the contract marks as `@idempotent`,
 * `@readonly`, or `@idempotencyKey`. All attempts and delays must fit within
 * `timeoutMs`.
 *
 * If the first call with an idempotency key is still running, waits for its
 * answer until the deadline. Asks again for an answer that is cut off.
 *
 * Example: `use: [retry({ attempts: 5 })]`.
 */
export function retry(options: RetryOptions = {}): ClientInterceptor {
  const {
    attempts = 3,
    attemptTimeoutMs = Infinity,
    backoffMs = 200,
    maxBackoffMs = 10_000,
    jitter = 0.5,
    isPassing = isPassingError,
  } = options;
  const maxMs = Math.min(maxBackoffMs, maxTimerMs);
  const delayOf = (attempt: number): number =>
    Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(attempt - 1, 30)) *
    (1 - jitter * Math.random());
  return (next) => async (call) => {
    // A stream is repeated only if its caller asks for it, with `reconnect`.
    const { isStream, method } = call;
    if (isStream || (method.safety ?? "none") === "none") return next(call);
    const end = performance.now() + (call.timeoutMs ?? Infinity);
    let failures = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { delayMs: asked, fetch } = trackRetryAfter(call.fetch);
      // Another attempt would get the same answer.
      let isFinal = false;
      const parse = (text: string): unknown => {
        isFinal = isTooLong(text);
        const message = (method.parse ?? parseObject)(text);
        isFinal = true;
        return message;
      };
      const own = {
        ...call,
        fetch,
        method: { ...method, parse },
        ...(attempt > 1 && { attempt }),
      };
      try {
        return await attemptWithin(attemptTimeoutMs, next, own);
      } catch (error) {
        const askedMs = asked();
        const leftMs = end - performance.now();
        if (isStillRunning(error)) {
          const pollMs = Math.max(
            Math.min(askedMs || delayOf(attempt), maxMs),
            minPollMs,
          );
          await pause(Math.min(pollMs, leftMs), call.signal);
          if (pollMs < leftMs) continue;
          throw createTransportErrorAs("timeout");
        }
        failures += 1;
        const delayMs = askedMs ?? delayOf(failures);
        const isOver =
          failures >= attempts || delayMs > maxMs || delayMs >= leftMs;
        const isSlow = memberOf(error, "reason") === "timeout";
        // The stored answer to a call with a key can arrive intact.
        const isLost =
          !isFinal &&
          /^2/.test(String(memberOf(error, "status"))) &&
          call.headers.some((each) => memberOf(each, "idempotency-key"));
        if (isOver || !(isSlow || isLost || isPassing(error, askedMs !== null)))
          throw error;
        await pause(delayMs, call.signal);
      }
    }
  };
}

/** Minimum time between two requests for the answer of a running call. */
const minPollMs = 100;

/**
 * Returns whether the first call with the same key is still running, so it has
 * not failed. `sendKey` reads it from a header if the body has another form.
 */
export function isStillRunning(error: unknown): boolean {
  return (
    memberOf(error, "name") === "WebrpcRequestFailed" &&
    memberOf(error, "status") === 409
  );
}

/** Runs an attempt. Rejects with a `timeout` after `limitMs`. */
function attemptWithin(
  limitMs: number,
  next: ClientNext,
  call: ClientCall & { readonly fetch: Fetch },
): Promise<unknown> {
  if (!(limitMs <= maxTimerMs)) return next(call);
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: () => void;
  return new Promise((resolve, reject) => {
    const stop = (error: unknown): void => {
      // Reject here as well, because `next` may ignore the signal.
      reject(error);
      controller.abort(error);
    };
    abort = () => stop(call.signal?.reason);
    call.signal?.addEventListener("abort", abort);
    if (call.signal?.aborted) return abort();
    timer = setTimeout(() => stop(createTransportErrorAs("timeout")), limitMs);
    const fetch: Fetch = async (url, init) => {
      const response = await call.fetch(url, init);
      // A stream or a download has begun. Its content has no part in the call.
      if (response.ok && response.body === null) clearTimeout(timer);
      return response;
    };
    next({ ...call, fetch, signal }).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", abort);
  });
}

function isPassingError(error: unknown, isAsked: boolean): boolean {
  return (
    isAsked ||
    memberOf(error, "reason") === "network" ||
    [429, 502, 503, 504].includes(Number(memberOf(error, "status")))
  );
}

/** Waits, or rejects with the reason of a signal that aborts. */
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
