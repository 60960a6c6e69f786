import type { Fetch } from "./call.js";
import { createTransportError, type CallReason } from "./transport-error.js";

/** Timers take no more than this; about 24 days. */
const noTimeoutMs = 2 ** 31;

/**
 * Fetches, and reads the body, until a signal aborts or the time is up; then
 * leaves neither timer nor listener behind.
 *
 * Errors: TransportError `network`, `aborted`, `timeout`.
 */
export async function roundTrip(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs = noTimeoutMs,
): Promise<[Response, string]> {
  const exchange = async (): Promise<[Response, string]> => {
    const response = await fetch(url, init);
    return [response, await response.text()];
  };
  let reason: CallReason = "network";
  const endings: (() => void)[] = [];
  try {
    // Most calls have no limit, and controllers cost more than all the rest.
    if (!(timeoutMs < noTimeoutMs) && !signals.some(Boolean)) {
      return await exchange();
    }
    return await new Promise((resolve, reject) => {
      const controller = new AbortController();
      init.signal = controller.signal;
      const end = (why: CallReason, cause?: unknown) => {
        reason = why;
        // Not left to an injected fetch, which may not heed the signal.
        reject(cause);
        controller.abort(cause);
      };
      for (const signal of signals) {
        const abort = () => end("aborted", signal?.reason);
        signal?.addEventListener("abort", abort);
        endings.push(() => signal?.removeEventListener("abort", abort));
        if (signal?.aborted) abort();
      }
      if (timeoutMs < noTimeoutMs) {
        const timer = setTimeout(() => end("timeout"), timeoutMs);
        endings.push(() => clearTimeout(timer));
      }
      if (reason === "network") exchange().then(resolve, reject);
    });
  } catch (cause) {
    throw createTransportError(reason, cause);
  } finally {
    endings.forEach((end) => end());
  }
}
