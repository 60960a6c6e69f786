import { createKey, type RequestContext } from "@ridlkit/runtime/server";

/** Data about the caller, set by the key verifiers. */
export interface PlatformState {
  /** The project that the keys belong to, or null if no key is needed. */
  project: number | null;
  /** The project that the secret belongs to, or null if no secret is needed. */
  secretProject: number | null;
}

/** The context of the platform's handlers. */
export type PlatformContext = RequestContext<PlatformState>;

/**
 * Returns the project that the access key's verifier has stored in the state.
 */
export function projectOf({ state }: PlatformContext): number {
  if (state.project !== null) return state.project;
  throw new Error("a method without an access key has no project");
}

/** The project that the keys belong to, for observers of requests. */
export const projectKey = createKey<number>("project");
