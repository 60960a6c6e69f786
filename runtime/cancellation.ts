import { TransportError } from "./transport-error.js";

/** What may end a call before its answer. */
export interface Limits {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** 0, undefined and more than 24 days are no limit. */
  readonly timeoutMs: number | undefined;
}

/**
 * Runs work until it is done, a signal aborts, or the time is up; then leaves
 * neither timer nor listener behind.
 *
 * Errors: those of the work; TransportError `aborted` and `timeout`.
 */
export async function runWithin<T>(
  { signals, timeoutMs = 0 }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const endings: (() => void)[] = [];
  // Not left to the work: an injected fetch may not heed the signal.
  const ended = new Promise<never>((_, reject) => {
    const end = (error: TransportError) => {
      reject(error);
      controller.abort(error);
    };
    for (const signal of signals) {
      const abort = () =>
        end(new TransportError("aborted", { cause: signal?.reason }));
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
      endings.push(() => signal?.removeEventListener("abort", abort));
    }
    if (timeoutMs > 0 && timeoutMs < 2 ** 31) {
      const message = `request failed: no answer within ${timeoutMs} ms`;
      const expire = () => end(new TransportError("timeout", { message }));
      const timer = setTimeout(expire, timeoutMs);
      endings.push(() => clearTimeout(timer));
    }
  });
  try {
    if (controller.signal.aborted) return await ended;
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    endings.forEach((end) => end());
  }
}
