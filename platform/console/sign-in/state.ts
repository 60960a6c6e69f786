import type { RequestContext } from "@ridlkit/runtime/server";

/** Who is calling; the verifier of the session fills it in. */
export interface OperatorState {
  /** null: nobody has signed in. */
  operator: string | null;
  /** Proof of the session; null: there is none. */
  secret: string | null;
  /** null: it is the operator token, which does not expire. */
  expiresAt: Date | null;
  /** Project of what was changed, where the request does not name it; else null. */
  projectId: number | null;
}

/** The context that the console's handlers get. */
export type OperatorContext = RequestContext<OperatorState>;
