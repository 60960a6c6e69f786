import type { ClientCall, ClientInterceptor } from "./call.js";
import { importSecret, signMessage } from "../wire/webhook-signature.js";

/** Options for {@link signWebhooks}. */
export interface SignOptions {
  /**
   * Returns the ID of a message, e.g. `({ request }) => uidOf(request)`. The ID
   * lets receivers recognize repeated deliveries. Default: a random ID.
   */
  readonly id?: (call: ClientCall) => string;
}

/**
 * Signs webhooks according to the Standard Webhooks specification. All attempts
 * of `retry` have the same `webhook-id`.
 *
 * Input: the receiver's secret, at least 24 bytes in base64, with or without
 * `whsec_`. Pass both secrets during a rotation.
 * Example: `createIndexerWebhookSender({ use: [signWebhooks(secret)] })`.
 * Errors: TypeError if there is no secret, or if one is not base64 or too short.
 */
export function signWebhooks(
  secret: string | readonly string[],
  options: SignOptions = {},
): ClientInterceptor {
  const keys = [secret].flat().map(importSecret);
  if (keys.length === 0) throw new TypeError("there is no secret");
  return (next) => {
    // Interceptors are created once per call and shared by its attempts.
    let id: string | undefined;
    return (call) => {
      const messageId = (id ??= options.id?.(call) ?? createId());
      const signed = async (url: string, init: RequestInit) => {
        const timestamp = Math.floor(Date.now() / 1000);
        const body = String(init.body);
        const headers = new Headers(init.headers);
        headers.set("webhook-id", messageId);
        headers.set("webhook-timestamp", String(timestamp));
        const message = { id: messageId, timestamp, body };
        headers.set("webhook-signature", await signMessage(keys, message));
        init.signal?.throwIfAborted();
        return (call.fetch ?? fetch)(url, { ...init, headers });
      };
      return next({ ...call, fetch: signed });
    };
  };
}

function createId(): string {
  return `msg_${crypto.randomUUID().replaceAll("-", "")}`;
}
