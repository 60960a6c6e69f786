import type { Fetch } from "./call.js";
import {
  createTransportError,
  type TransportReason,
} from "./transport-error.js";

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
  timeoutMs = Infinity,
): Promise<[Response, string]> {
  const controller = new AbortController();
  const { signal } = controller;
  let reason: TransportReason = "network";
  const end = (why: TransportReason, cause?: unknown) => {
    reason = why;
    controller.abort(cause);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      // Not left to an injected fetch, which may not heed the signal.
      signal.onabort = () => reject(signal.reason);
      for (const outer of signals) {
        const abort = () => end("aborted", outer?.reason);
        outer?.addEventListener("abort", abort, { signal });
        if (outer?.aborted) abort();
      }
      // Timers take no more than 24 days.
      if (timeoutMs < 2 ** 31) {
        timer = setTimeout(() => end("timeout"), timeoutMs);
      }
      if (signal.aborted) return;
      fetch(url, { ...init, signal })
        .then(async (response) => resolve([response, await response.text()]))
        .catch(reject);
    });
  } catch (cause) {
    throw createTransportError(reason, cause);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
