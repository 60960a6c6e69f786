import type { KeyStore } from "../../keys/key-store.js";
import type { RateLimiter } from "../../keys/rate-limiter.js";
import type { Platform } from "../../parts/platform.js";
import type { CookieSessions } from "./cookie-sessions.js";
import type { Operators } from "./operators.js";

/** Dependencies of the console's handlers. */
export interface ConsoleParts {
  readonly platform: Platform;
  readonly store: KeyStore;
  readonly operators: Operators;
  readonly cookies: CookieSessions;
  /** Limits password attempts by client address. */
  readonly attempts: RateLimiter;
}
