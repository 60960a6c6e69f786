import { createKey, type RequestContext } from "@ridlkit/runtime/server";

/** Data about the caller, set by the key verifiers. */
export interface PlatformState {
  /** The project of the keys, or null if no key is needed. */
  project: number | null;
  /** The project of the secret, or null if no secret is needed. */
  secretProject: number | null;
}

/** The context of the platform's handlers. */
export type PlatformContext = RequestContext<PlatformState>;

/** The project of the keys, for observers of requests. */
export const projectKey = createKey<number>("project");
