import { hash } from "node:crypto";

import { builtInErrors, RpcError } from "@ridlkit/runtime/errors";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";

import type { Tables } from "../database/schema.js";
import type { RateLimitSettings } from "../settings/settings.js";
import { takeTokens } from "./take-tokens.js";

/** Limits how often each caller calls, over all instances of the platform. */
export interface RateLimiter {
  /** How many seconds after a refusal there is room again. */
  readonly retryAfterSeconds: number;
  /**
   * Counts a request.
   *
   * Errors: `WebrpcRequestFailed` with 429; `Unavailable` when the database does
   * not answer.
   */
  take(caller: string): Promise<void>;
  /**
   * Refuses a caller whose bucket this instance knows to be empty.
   *
   * Errors: `WebrpcRequestFailed` with 429.
   */
  check(caller: string): void;
  /** Whether this instance has counted a caller recently. */
  knows(caller: string): boolean;
}

/** What a limiter limits. */
export interface RateLimiterOptions extends RateLimitSettings {
  /** Keeps its buckets apart from those of other limiters. */
  readonly name: string;
  /** Completes the error "too many requests …". */
  readonly limited: string;
}

/** A request that waits for a token. */
interface Waiting {
  readonly grant: () => void;
  readonly fail: (error: unknown) => void;
}

/** More callers are forgotten, and the database is asked about them. */
const maxKnown = 10_000;

/**
 * Creates a bucket of tokens for each caller. The buckets are in the database,
 * so the limit is exact over all instances. One statement at a time takes the
 * tokens of all requests that wait, and callers whose bucket is empty are
 * refused from memory until it has a token again.
 */
export function createRateLimiter(
  database: Kysely<Tables>,
  { name, limited, burst, requestsPerSecond }: RateLimiterOptions,
): RateLimiter {
  const emptyUntil = new LRUCache<string, number>({ max: maxKnown });
  let waiting = new Map<string, Waiting[]>();
  let isTaking = false;

  const refuse = (): RpcError => tooManyRequests(limited);
  const takeFor = async (
    requests: ReadonlyMap<string, readonly Waiting[]>,
  ): Promise<void> => {
    const callers = new Map(
      [...requests.keys()].map((caller) => [hashOf(name, caller), caller]),
    );
    const counts = [...requests.values()].map(({ length }) => length);
    const limit = { burst, requestsPerSecond };
    const buckets = await takeTokens(
      database,
      limit,
      [...callers.keys()],
      counts,
    );
    for (const { bucket, granted, emptyForMs } of buckets) {
      const caller = callers.get(bucket) ?? "";
      emptyUntil.set(caller, performance.now() + emptyForMs);
      for (const [index, { grant, fail }] of (
        requests.get(caller) ?? []
      ).entries()) {
        if (index < granted) grant();
        else fail(refuse());
      }
    }
  };
  const takeForAll = async (): Promise<void> => {
    isTaking = true;
    while (waiting.size > 0) {
      const requests = waiting;
      waiting = new Map();
      await takeFor(requests).catch((error: unknown) => {
        for (const { fail } of [...requests.values()].flat()) fail(error);
      });
    }
    isTaking = false;
  };
  const check = (caller: string): void => {
    if ((emptyUntil.get(caller) ?? 0) > performance.now()) throw refuse();
  };
  return {
    retryAfterSeconds: Math.max(1, Math.ceil(1 / requestsPerSecond)),
    check,
    knows: (caller) => emptyUntil.has(caller),
    take: (caller) =>
      new Promise((grant, fail) => {
        check(caller);
        const others = waiting.get(caller) ?? [];
        waiting.set(caller, [...others, { grant, fail }]);
        if (!isTaking) void takeForAll();
      }),
  };
}

/** The database keeps neither keys nor addresses. */
function hashOf(name: string, caller: string): string {
  return hash("sha256", `${name} ${caller}`, "base64url");
}

function tooManyRequests(limited: string): RpcError {
  return new RpcError(
    { ...builtInErrors.WebrpcRequestFailed, status: 429 },
    { cause: `too many requests ${limited}` },
  );
}
