import type { ClientInterceptor } from "../client/call.js";

/**
 * Sends a key with a call, the same in all its attempts: the call's
 * `idempotencyKey`, or a random one.
 *
 * Errors: TypeError if the caller's key is not 1 to 255 ASCII characters.
 */
export const sendKey: ClientInterceptor = (next) => (call) => {
  // Unlike `randomUUID`, this also exists on pages without TLS.
  const random = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
  const { headers, idempotencyKey: key = random() } = call;
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
