import { builtInErrors, RpcError } from "@ridlkit/runtime/errors";

import type { RateLimitSettings } from "../settings/settings.js";

/** Holds those back who call too often. */
export interface RateLimiter {
  /** How many seconds after a refusal there is room again. */
  readonly retryAfterSeconds: number;
  /**
   * Counts a request.
   *
   * Errors: `WebrpcRequestFailed` with 429.
   */
  take(caller: string): void;
  /**
   * Refuses a caller who is known to be held back, at no cost to others.
   *
   * Errors: as those of `take`.
   */
  check(caller: string): void;
  /** Whether a caller has been counted lately. */
  knows(caller: string): boolean;
}

interface Bucket {
  tokens: number;
  /** When it was last refilled. */
  at: number;
}

/** So many callers are remembered; of more, those with full buckets are not. */
const maxBuckets = 10_000;

/**
 * A bucket of tokens for each caller, by this instance of the platform alone.
 *
 * Input: `limited` says in errors what has called too often.
 */
export function createRateLimiter(
  { burst, requestsPerSecond }: RateLimitSettings,
  limited = "with this access key",
  now: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const refill = (bucket: Bucket): Bucket => {
    const at = now();
    const gained = ((at - bucket.at) / 1000) * requestsPerSecond;
    return { tokens: Math.min(burst, bucket.tokens + gained), at };
  };
  const forgetFull = (): void => {
    for (const [caller, bucket] of buckets) {
      if (refill(bucket).tokens >= burst) buckets.delete(caller);
    }
  };
  const check = (caller: string): void => {
    const known = buckets.get(caller);
    if (known !== undefined && refill(known).tokens < 1) {
      throw tooManyRequests(limited);
    }
  };
  return {
    retryAfterSeconds: Math.max(1, Math.ceil(1 / requestsPerSecond)),
    check,
    knows: (caller) => buckets.has(caller),
    take: (caller) => {
      check(caller);
      const known = buckets.get(caller);
      if (known === undefined && buckets.size >= maxBuckets) forgetFull();
      const { tokens, at } = refill(known ?? { tokens: burst, at: now() });
      buckets.set(caller, { tokens: tokens - 1, at });
    },
  };
}

function tooManyRequests(limited: string): RpcError {
  return new RpcError(
    { ...builtInErrors.WebrpcRequestFailed, status: 429 },
    { cause: `too many requests ${limited}` },
  );
}
