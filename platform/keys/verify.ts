import type { Verify } from "@ridlkit/runtime/server";

import {
  AccessKeyNotFoundError,
  PermissionDeniedError,
} from "../../generated/errors.js";
import type { UseCounters } from "../activity/use-counters.js";
import {
  asCaller,
  callerOfProject,
  withSignal,
} from "../process/concurrency/caller.js";
import type { KeyLimiter } from "./key-limiter.js";
import { findSecret, type KeyStore } from "./key-store.js";
import type { RateLimiter } from "./rate-limiter.js";
import {
  type PlatformContext,
  type PlatformState,
  projectKey,
} from "./state.js";

/** Rules for the keys of a request. */
export interface KeyRules {
  /** Finds access keys and limits their request rate. */
  readonly limiter: KeyLimiter;
  /** Limits client addresses that send unknown access keys. */
  readonly strangers: RateLimiter;
  /** The header that contains the client's address. */
  readonly addressHeader: string;
  /** Whether to reject secrets that a web page sends. */
  readonly refuseSecretsOfPages: boolean;
  /** Records the use of keys. */
  readonly counters: Pick<UseCounters, "noteAccessKey" | "noteSecret">;
}

/** Verifies the keys of requests and passes their project to the handlers. */
export interface KeyVerifiers {
  readonly createState: () => PlatformState;
  readonly verifyAccessKey: Verify<PlatformState>;
  readonly verifySecret: Verify<PlatformState>;
}

/** Creates the verifiers for the generated servers. */
export function createVerifiers(
  store: KeyStore,
  rules: KeyRules,
): KeyVerifiers {
  const { addressHeader, counters, limiter } = rules;
  const { refuseSecretsOfPages, strangers } = rules;
  return {
    createState: () => ({ project: null, secretProject: null }),

    verifyAccessKey: async (value, context) => {
      // Check the limiter before querying the database. The limiter only knows
      // valid keys.
      limiter.check(value);
      const address = context.header(addressHeader) ?? "";
      if (!limiter.knows(value)) strangers.check(address);
      const found = await withSignal(
        () => context.signal,
        () => limiter.take(value),
      );
      if (found === null) {
        await strangers.take(address);
        return false;
      }
      counters.noteAccessKey(found.id);
      context.state.project = found.projectId;
      context.set(projectKey, found.projectId);
      return true;
    },

    // All methods that take a secret write data.
    verifySecret: async (value, context) => {
      const { state } = context;
      if (refuseSecretsOfPages && context.header("origin") !== null) {
        return false;
      }
      // Lookups take turns with the other work of their caller, because anyone
      // with an access key can make up secrets.
      const found = await asCaller(
        state.project === null
          ? (context.header(addressHeader) ?? "")
          : callerOfProject(state.project),
        () => findSecret(store, value),
        () => context.signal,
      );
      if (found === null) return false;
      counters.noteSecret(found.id);
      // Handlers compare it with the project that the request refers to.
      state.secretProject = found.projectId;
      return found.scopes.includes("write");
    },
  };
}

/**
 * Rejects access to a project that the keys do not belong to.
 *
 * Input: the ID of the project, or its decimal digits.
 * Errors: `PermissionDenied`.
 */
export function requireProject(
  { state }: PlatformContext,
  projectId: number | string,
): void {
  if (state.project === Number(projectId)) return;
  const cause = `projectId: the keys do not belong to project ${projectId}`;
  throw new PermissionDeniedError({ cause });
}

/**
 * Rejects keys that belong to two different projects, or to a project other
 * than the one that the request names.
 *
 * Input: `projectId` is the project that the request names. The default is the
 * access key's project.
 * Returns the project.
 * Errors: `AccessKeyNotFound` if the access key does not belong to the project,
 * `PermissionDenied` if the secret does not.
 */
export function requireBothKeys(
  { state }: PlatformContext,
  projectId: number | null = state.project,
): number {
  if (projectId === null || state.project !== projectId) {
    const cause = `X-Access-Key: not an access key of project ${projectId}`;
    throw new AccessKeyNotFoundError({ cause });
  }
  if (state.secretProject !== projectId) {
    const cause = `Authorization: not a secret of project ${projectId}`;
    throw new PermissionDeniedError({ cause });
  }
  return projectId;
}
