import { builtInErrors, RpcError } from "ridlkit/runtime/errors";

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
  take(keyId: number): void;
}

interface Bucket {
  tokens: number;
  /** When it was last refilled. */
  at: number;
}

/** So many keys are remembered; of more, those that are full are forgotten. */
const maxBuckets = 10_000;

/** A bucket of tokens for each key, by this instance of the platform alone. */
export function createRateLimiter(
  { burst, requestsPerSecond }: RateLimitSettings,
  now: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new Map<number, Bucket>();
  const refill = (bucket: Bucket): Bucket => {
    const at = now();
    const gained = ((at - bucket.at) / 1000) * requestsPerSecond;
    return { tokens: Math.min(burst, bucket.tokens + gained), at };
  };
  const forgetFull = (): void => {
    for (const [keyId, bucket] of buckets) {
      if (refill(bucket).tokens >= burst) buckets.delete(keyId);
    }
  };
  return {
    retryAfterSeconds: Math.max(1, Math.ceil(1 / requestsPerSecond)),
    take: (keyId) => {
      if (buckets.size >= maxBuckets) forgetFull();
      const known = buckets.get(keyId) ?? { tokens: burst, at: now() };
      const { tokens, at } = refill(known);
      const isRefused = tokens < 1;
      buckets.set(keyId, { tokens: isRefused ? tokens : tokens - 1, at });
      if (isRefused) throw tooManyRequests();
    },
  };
}

function tooManyRequests(): RpcError {
  return new RpcError(
    { ...builtInErrors.WebrpcRequestFailed, status: 429 },
    { cause: "too many requests with this access key" },
  );
}
