import type { RequestContext } from "@ridlkit/runtime/server";

/** The caller, which the session verifier fills in. */
export interface OperatorState {
  /** Null if no operator is signed in. */
  operator: string | null;
  /** The secret of the session, or null if there is none. */
  secret: string | null;
  /** Null for the operator token, which does not expire. */
  expiresAt: Date | null;
  /** The project that was changed, if the request does not name it. */
  projectId: number | null;
}

/** The context of the console's handlers. */
export type OperatorContext = RequestContext<OperatorState>;
