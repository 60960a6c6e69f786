import { readOrMakeSecret } from "../keys/master-secret.js";
import { createRateLimiter } from "../keys/rate-limiter.js";
import { takeTokens } from "../keys/take-tokens.js";
import type { KeyStore } from "../keys/key-store.js";
import { tokenFile } from "../announce/console-file.js";
import type { Observation } from "../http/observation.js";
import { createAnswers } from "../parts/answers.js";
import type { Platform } from "../parts/platform.js";
import { type RunningConsole, serveConsole } from "./host.js";
import type { ConsoleParts } from "./sign-in/console-parts.js";
import { createConsole } from "./server.js";
import { createCookieSessions } from "./sign-in/cookie-sessions.js";
import { createOperators } from "./sign-in/operators.js";

/** Password attempts per address: a burst of ten, then two per minute. */
const attemptLimit = { requestsPerSecond: 1 / 30, burst: 10 };

/** Creates the dependencies of the console's handlers. */
export function createConsoleParts(
  platform: Platform,
  store: KeyStore,
  operatorToken: string,
): ConsoleParts {
  return {
    platform,
    store,
    answers: createAnswers(store.database),
    operators: createOperators(platform.settings.operators, operatorToken),
    cookies: createCookieSessions(),
    attempts: createRateLimiter(
      (...asked) => takeTokens(store.database, ...asked),
      { ...attemptLimit, name: "sign-in", limited: "to sign in" },
    ),
  };
}

/** Starts a platform's console. */
export function startConsole(
  platform: Platform,
  store: KeyStore,
  { observe, onError }: Observation,
): Promise<RunningConsole> {
  const { dataFolder, operatorToken } = platform.settings;
  const token = operatorToken ?? readOrMakeSecret(dataFolder, tokenFile);
  const parts = createConsoleParts(platform, store, token);
  const rpc = createConsole(parts, { observe, onError });
  return serveConsole(rpc, platform.settings);
}
