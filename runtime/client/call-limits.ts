import { createTransportError, type CallReason } from "./transport-error.js";

/** Timers take no more; about 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * What `work` comes to, unless a signal aborts or the time is up before; leaves
 * neither timer nor listener behind.
 *
 * Input: `work` gets a signal that tells it to stop, with the error as reason.
 * Errors: those of `work`; TransportError `aborted`, `timeout`.
 */
export function withLimits<Value>(
  work: (signal: AbortSignal | null) => Promise<Value>,
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs = maxTimerMs,
): Promise<Value> {
  // Most calls have no limit, and controllers cost more than all the rest.
  if (timeoutMs >= maxTimerMs && !signals.some(Boolean)) return work(null);
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Value>((resolve, reject) => {
    const end = (reason: CallReason, cause?: unknown) => {
      const error = createTransportError(reason, cause);
      // Not left to the work, which may not heed the signal.
      reject(error);
      controller.abort(error);
    };
    for (const source of signals) {
      const abort = () => end("aborted", source?.reason);
      source?.addEventListener("abort", abort, { signal });
      if (source?.aborted) abort();
    }
    timer = setTimeout(end, Math.min(timeoutMs, maxTimerMs), "timeout");
    if (!signal.aborted) work(signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    // Takes the listeners away.
    controller.abort(0);
  });
}
