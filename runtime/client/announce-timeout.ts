import type { ClientInterceptor } from "./call.js";

/**
 * Tells the server how long the caller waits, in the header
 * `Request-Timeout-Ms`: what is left of `timeoutMs` when a request is sent. The
 * server then stops when nobody waits any more. Stands first in `use`.
 *
 * Servers of other makers ignore it, but in browsers their CORS settings have to
 * allow it.
 */
export function announceTimeout(): ClientInterceptor {
  return (next) => (call) => {
    const { isStream, timeoutMs } = call;
    // A stream goes on when its time to begin is over.
    if (isStream || timeoutMs === undefined || timeoutMs > maxAnnouncedMs)
      return next(call);
    const expiresAt = performance.now() + timeoutMs;
    const announced = (url: string, init: RequestInit): Promise<Response> => {
      const headers = new Headers(init.headers);
      const leftMs = Math.ceil(expiresAt - performance.now());
      headers.set("request-timeout-ms", String(Math.max(0, leftMs)));
      return (call.fetch ?? fetch)(url, { ...init, headers });
    };
    return next({ ...call, fetch: announced });
  };
}

/** Servers read ten digits; it is as good as no limit. */
const maxAnnouncedMs = 9_999_999_999;
