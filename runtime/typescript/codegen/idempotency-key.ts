import type { ClientInterceptor } from "../client/call.js";
import { randomKey } from "../values/random-key.js";
import { fromEnvelope } from "../wire/bare-error.js";

/**
 * Sends a key with a call, the same in all its attempts: the call's
 * `idempotencyKey`, or a random one.
 *
 * Errors: TypeError if the caller's key is not 1 to 255 ASCII characters, or if
 * there is none and the platform cannot create one.
 */
export const sendKey: ClientInterceptor = (next) => (call) => {
  const { headers, idempotencyKey: key = randomKey(), method } = call;
  const quoted = JSON.stringify(key);
  if (!/^[ -~]{1,255}$/.test(key ?? "")) {
    throw TypeError(
      "idempotencyKey: expected 1 to 255 ASCII characters, got " + quoted,
    );
  }
  return next({
    ...call,
    headers: [{ "idempotency-key": quoted }, ...headers],
    method: {
      ...method,
      // The contract, a framework, or a proxy can have replaced the body.
      error: (json, status, text, headers, by) =>
        headers?.has("idempotency-state")
          ? fromEnvelope(
              { ...(json as object), error: "WebrpcRequestFailed", code: -1 },
              status,
            )
          : (method.error ?? fromEnvelope)(json, status, text, headers, by),
    },
  });
};
