import type { Verify } from "@ridlkit/runtime/server";

import { PermissionDeniedError } from "../../generated/errors.js";
import { findAccessKey, findSecret, type KeyStore } from "./key-store.js";
import type { RateLimiter } from "./rate-limiter.js";
import {
  type PlatformContext,
  type PlatformState,
  projectKey,
} from "./state.js";

/** What the keys of a request have to be. */
export interface KeyRules {
  readonly limiter: RateLimiter;
  /** Whether secrets are refused that a web page sends. */
  readonly refuseSecretsOfPages: boolean;
}

/** Judges the keys of requests, and tells the handlers whose they are. */
export interface KeyVerifiers {
  readonly createState: () => PlatformState;
  readonly verifyAccessKey: Verify<PlatformState>;
  readonly verifySecret: Verify<PlatformState>;
}

/** Makes the verifiers that the generated servers ask for. */
export function createVerifiers(
  store: KeyStore,
  { limiter, refuseSecretsOfPages }: KeyRules,
): KeyVerifiers {
  return {
    createState: () => ({ project: null, scopes: [] }),

    verifyAccessKey: async (value, context) => {
      // Before the database is asked; only keys that are good are known to it.
      limiter.check(value);
      const found = await findAccessKey(store, value);
      if (found === null) return false;
      limiter.take(value);
      context.state.project = found.projectId;
      context.set(projectKey, found.projectId);
      return true;
    },

    // Everything that takes a secret writes.
    verifySecret: async (value, context) => {
      const { state } = context;
      if (refuseSecretsOfPages && context.header("origin") !== null) {
        return false;
      }
      const found = await findSecret(store, value);
      if (found === null || found.projectId !== state.project) return false;
      state.scopes = found.scopes;
      return found.scopes.includes("write");
    },
  };
}

/**
 * Refuses to touch another project than that of the keys.
 *
 * Errors: `PermissionDenied`.
 */
export function requireProject(
  { state }: PlatformContext,
  projectId: number,
): void {
  if (state.project === projectId) return;
  const cause = `projectId: the keys belong to another project than ${projectId}`;
  throw new PermissionDeniedError({ cause });
}
