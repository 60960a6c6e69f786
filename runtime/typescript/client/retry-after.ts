import type { Fetch } from "./call.js";

/** A `fetch` that remembers the `Retry-After` header of a failed response. */
export interface RetryAfterFetch {
  readonly fetch: Fetch;
  /**
   * Returns the delay from now in milliseconds, or null if the last response
   * did not ask for one.
   */
  readonly delayMs: () => number | null;
}

/** Wraps a `fetch`, by default the global one, to remember `Retry-After`. */
export function trackRetryAfter(given: Fetch | undefined): RetryAfterFetch {
  let header: string | null = null;
  return {
    fetch: async (url, init) => {
      header = null;
      const response = await (given ?? fetch)(url, init);
      if (!response.ok) header = response.headers.get("retry-after");
      return response;
    },
    delayMs: () => readRetryAfter(header),
  };
}

/** The current date format, the obsolete one, and the `asctime` format. */
const httpDate = /^[A-Z][a-z]+,? [\w -]+ [\d:]{8}( GMT| \d{4})$/;

/**
 * Returns the delay in milliseconds for a number of seconds or a date (RFC
 * 9110, section 10.2.3), or null for anything else.
 */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  if (!httpDate.test(header)) return null;
  // The `asctime` format does not name its time zone, which is GMT.
  const at = Date.parse(header.endsWith("GMT") ? header : `${header} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
