import type { RequestContext } from "@ridlkit/runtime/server";

import type { KeyStore } from "../../keys/key-store.js";
import type { RateLimiter } from "../../keys/rate-limiter.js";
import type { OperatorRole } from "../generated/types.js";
import type { Answers } from "../../parts/answers.js";
import type { Platform } from "../../parts/platform.js";
import type { CookieSessions } from "./cookie-sessions.js";
import type { Operators } from "./operators.js";

/** Dependencies of the console's handlers. */
export interface ConsoleParts {
  readonly platform: Platform;
  readonly store: KeyStore;
  readonly answers: Answers;
  readonly operators: Operators;
  readonly cookies: CookieSessions;
  /** Limits password attempts by client address. */
  readonly attempts: RateLimiter;
}

/** The state of a request: its caller and the project that it changed. */
export interface OperatorState {
  /** Null if no operator is signed in. */
  operator: string | null;
  /** Null if no operator is signed in. */
  role: OperatorRole | null;
  /** The secret of the session, or null if there is none. */
  secret: string | null;
  /** Null without a session. The operator token does not expire. */
  expiresAt: Date | null;
  /** The project that was changed, if the request does not name it. */
  projectId: number | null;
  /** The entry in the audit log that needs a result, or null if none does. */
  actionId: number | null;
}

/** The context of the console's handlers. */
export type OperatorContext = RequestContext<OperatorState>;
