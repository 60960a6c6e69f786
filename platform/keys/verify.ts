import type { Verify } from "@ridlkit/runtime/server";

import {
  AccessKeyNotFoundError,
  PermissionDeniedError,
} from "../../generated/errors.js";
import type { UseCounters } from "../activity/use-counters.js";
import { shareNextAnswer } from "../process/share-next-answer.js";
import { findAccessKey, findSecret, type KeyStore } from "./key-store.js";
import type { RateLimiter } from "./rate-limiter.js";
import {
  type PlatformContext,
  type PlatformState,
  projectKey,
} from "./state.js";

/** What the keys of a request have to be. */
export interface KeyRules {
  /** For each access key. */
  readonly limiter: RateLimiter;
  /** For each client address, of which unknown access keys come. */
  readonly strangers: RateLimiter;
  /** The header that has the address. */
  readonly addressHeader: string;
  /** Whether secrets are refused that a web page sends. */
  readonly refuseSecretsOfPages: boolean;
  /** Hears of keys that are used. */
  readonly counters: Pick<UseCounters, "noteAccessKey" | "noteSecret">;
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
  rules: KeyRules,
): KeyVerifiers {
  const { addressHeader, counters, limiter } = rules;
  const { refuseSecretsOfPages, strangers } = rules;
  // A caller with many requests must not fill the queue for the database.
  const readAccessKey = shareNextAnswer((key) => findAccessKey(store, key));
  const readSecret = shareNextAnswer((token) => findSecret(store, token));
  return {
    createState: () => ({ project: null, secretProject: null }),

    verifyAccessKey: async (value, context) => {
      // Before the database is asked; only keys that are good are known to it.
      limiter.check(value);
      const address = context.header(addressHeader) ?? "";
      if (!limiter.knows(value)) strangers.check(address);
      const found = await readAccessKey(value);
      if (found === null) {
        await strangers.take(address);
        return false;
      }
      await limiter.take(value);
      counters.noteAccessKey(found.id);
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
      const found = await readSecret(value);
      if (found === null) return false;
      counters.noteSecret(found.id);
      // Whose it has to be is known with the message.
      state.secretProject = found.projectId;
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

/**
 * Refuses keys of two projects, or of another one than the request names.
 *
 * Input: `projectId` is the one that the request names; unless given, that of
 * the access key.
 * Output: the project.
 * Errors: `AccessKeyNotFound` when the access key is not one of its public keys,
 * `PermissionDenied` when the secret is not one of its own.
 */
export function requireBothKeys(
  { state }: PlatformContext,
  projectId: number | null = state.project,
): number {
  if (projectId === null || state.project !== projectId) {
    const cause = `X-Access-Key: no public key of project ${projectId}`;
    throw new AccessKeyNotFoundError({ cause });
  }
  if (state.secretProject !== projectId) {
    const cause = `Authorization: no secret of project ${projectId}`;
    throw new PermissionDeniedError({ cause });
  }
  return projectId;
}
