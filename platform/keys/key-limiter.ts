import type { RateLimitSettings } from "../settings/read-settings.js";
import { hashesOf, hashKey, projectOfAccessKey } from "./access-key.js";
import { type KeyStore, renewHash } from "./key-store.js";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.js";
import { type TakenKeyTokens, takeKeyTokens } from "./take-tokens.js";

/** Finds access keys and limits the request rate of each one. */
export type KeyLimiter = RateLimiter<TakenKeyTokens>;

/**
 * Creates a limiter that counts requests and looks up their keys in one step.
 */
export function createKeyLimiter(
  store: KeyStore,
  limit: RateLimitSettings,
): KeyLimiter {
  const { database, keys } = store;
  const limiter = createRateLimiter(
    (limits, wanted) =>
      takeKeyTokens(
        database,
        limits,
        wanted.flatMap(({ caller, ...tokens }) =>
          hashesOf(keys, caller).map((hash) => ({ ...tokens, hash })),
        ),
      ),
    { ...limit, name: "key", limited: "with this access key" },
  );
  return {
    ...limiter,
    take: async (accessKey) => {
      const projectId = projectOfAccessKey(accessKey);
      if (projectId === null) return null;
      const found = await limiter.take(accessKey);
      if (found?.projectId !== projectId) return null;
      if (keys.old !== null && !found.hash.equals(hashKey(keys, accessKey))) {
        await renewHash(store, "access_keys", accessKey);
      }
      return found;
    },
  };
}
