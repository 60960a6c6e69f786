import type { ClientInterceptor } from "./call.js";

/**
 * Sends the remaining `timeoutMs` in the `Request-Timeout-Ms` header, so that
 * the server stops when the caller stops waiting. List it first in `use`.
 *
 * Servers that do not support the header ignore it. Browsers send it to another
 * origin only if the server's CORS settings allow that.
 */
export function announceTimeout(): ClientInterceptor {
  return (next) => (call) => {
    const { isStream, timeoutMs } = call;
    // A stream outlives the timeout, which only covers the start of the stream.
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

/** Servers read at most ten digits, which is practically no limit. */
const maxAnnouncedMs = 9_999_999_999;
