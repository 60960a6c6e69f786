import { hash } from "node:crypto";

import { builtInErrors, RpcError } from "@ridlkit/runtime/errors";
import { LRUCache } from "lru-cache";

import { createBatch } from "../process/concurrency/batch.js";
import type { RateLimitSettings } from "../settings/read-settings.js";
import type { TakenTokens, WantedTokens } from "./take-tokens.js";

/**
 * Limits each caller's request rate across all instances of the platform.
 * `Taken` describes a counted request.
 */
export interface RateLimiter<Taken = TakenTokens> {
  /** The number of seconds after which a rejected caller can retry. */
  readonly retryAfterSeconds: number;
  /**
   * Counts a request.
   *
   * Returns null if there is no such caller.
   * Errors: `WebrpcRequestFailed` with 429; `Unavailable` if the database does
   * not respond.
   */
  take(caller: string): Promise<Taken | null>;
  /**
   * Rejects a caller if this instance knows that the caller's bucket is empty.
   *
   * Errors: `WebrpcRequestFailed` with 429.
   */
  check(caller: string): void;
  /** Returns whether this instance has counted a caller recently. */
  knows(caller: string): boolean;
}

/** A request for tokens for a caller. */
export interface WantedByCaller extends WantedTokens {
  readonly caller: string;
}

/** Takes tokens from buckets, except for callers that do not exist. */
export type TakeTokens<Taken> = (
  limit: RateLimitSettings,
  wanted: readonly WantedByCaller[],
) => Promise<readonly Taken[]>;

/** Options of a rate limiter. */
export interface RateLimiterOptions extends RateLimitSettings {
  /** Separates its buckets from other limiters' buckets. */
  readonly name: string;
  /** Completes the error message "too many requests …". */
  readonly limited: string;
}

/** A request for a token. */
interface Request<Taken> {
  readonly caller: string;
  /** The caller's tokens, or null if there is no such caller. */
  taken: Taken | null;
  isRefused: boolean;
}

/**
 * The maximum number of callers kept in memory. For other callers, the limiter
 * queries the database even if their buckets are empty.
 */
const maxKnown = 10_000;

/**
 * Creates a limiter with a token bucket for each caller. The buckets are in the
 * database, so the limit is exact across all instances. A single statement at a
 * time takes the tokens for all waiting requests. If a caller's bucket is
 * empty, the caller is rejected without a query until the bucket has a token
 * again.
 */
export function createRateLimiter<Taken extends TakenTokens>(
  takeTokens: TakeTokens<Taken>,
  { name, limited, burst, requestsPerSecond }: RateLimiterOptions,
): RateLimiter<Taken> {
  const emptyUntil = new LRUCache<string, number>({ max: maxKnown });
  const refuse = (): RpcError => tooManyRequests(limited);
  const takeForAll = createBatch<Request<Taken>>(async (requests) => {
    const byCaller = new Map<string, Request<Taken>[]>();
    for (const request of requests) {
      const others = byCaller.get(request.caller);
      if (others === undefined) byCaller.set(request.caller, [request]);
      else others.push(request);
    }
    const wanted = [...byCaller].map(([caller, { length: count }]) => ({
      ...{ caller, count },
      bucket: hashOf(name, caller),
    }));
    const found = await takeTokens({ burst, requestsPerSecond }, wanted);
    const buckets = new Map(found.map((taken) => [taken.bucket, taken]));
    for (const { bucket, caller } of wanted) {
      const taken = buckets.get(bucket);
      if (taken === undefined) continue;
      emptyUntil.set(caller, performance.now() + taken.emptyForMs);
      for (const [index, request] of (byCaller.get(caller) ?? []).entries()) {
        request.taken = taken;
        request.isRefused = index >= taken.granted;
      }
    }
  });
  const check = (caller: string): void => {
    if ((emptyUntil.get(caller) ?? 0) > performance.now()) throw refuse();
  };
  return {
    retryAfterSeconds: Math.max(1, Math.ceil(1 / requestsPerSecond)),
    check,
    knows: (caller) => emptyUntil.has(caller),
    take: async (caller) => {
      check(caller);
      const request: Request<Taken> = { caller, taken: null, isRefused: false };
      await takeForAll(request);
      if (request.isRefused) throw refuse();
      return request.taken;
    },
  };
}

/** Hashes a caller, so that the database stores neither keys nor addresses. */
function hashOf(name: string, caller: string): string {
  return hash("sha256", `${name} ${caller}`, "base64url");
}

function tooManyRequests(limited: string): RpcError {
  return new RpcError(
    { ...builtInErrors.WebrpcRequestFailed, status: 429 },
    { cause: `too many requests ${limited}` },
  );
}
