import type { ClientInterceptor } from "../client/call.js";
import { randomKey } from "../values/random-key.js";

/**
 * Sends a key with a call, the same in all its attempts: the call's
 * `idempotencyKey`, or a random one.
 *
 * Errors: TypeError if the caller's key is not 1 to 255 ASCII characters.
 */
export const sendKey: ClientInterceptor = (next) => (call) => {
  const { headers, idempotencyKey: key = randomKey() } = call;
  if (!/^[ -~]{1,255}$/.test(key)) {
    throw new TypeError(
      `idempotencyKey: expected 1 to 255 ASCII characters, got ${JSON.stringify(key)}`,
    );
  }
  const quoted = `"${key.replace(/["\\]/g, "\\$&")}"`;
  return next({
    ...call,
    headers: [{ "idempotency-key": quoted }, ...headers],
  });
};
