import { createKey, type RequestContext } from "@ridlkit/runtime/server";

/** What is known of who is calling; the verifiers of the keys fill it in. */
export interface PlatformState {
  /** Project of the keys; null where no key is needed. */
  project: number | null;
  /** Project of the secret; null where none is needed. */
  secretProject: number | null;
}

/** The context that the platform's handlers get. */
export type PlatformContext = RequestContext<PlatformState>;

/** The project of the keys, for those who see a request from outside. */
export const projectKey = createKey<number>("project");
