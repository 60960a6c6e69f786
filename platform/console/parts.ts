import type { KeyStore } from "../keys/key-store.js";
import type { RateLimiter } from "../keys/rate-limiter.js";
import type { Platform } from "../parts/platform.js";
import type { CookieSessions } from "./sign-in/cookie-sessions.js";
import type { Operators } from "./sign-in/operators.js";

/** What the handlers of the console work with. */
export interface ConsoleParts {
  readonly platform: Platform;
  readonly store: KeyStore;
  readonly operators: Operators;
  readonly cookies: CookieSessions;
  /** Holds back those who try passwords, by their address. */
  readonly attempts: RateLimiter;
  /** The header that has the address. */
  readonly addressHeader: string;
}
