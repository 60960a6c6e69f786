import type { ClientCall, ClientInterceptor } from "./call.js";
import { createKey } from "../values/context-key.js";
import { importSecret, signMessage } from "../wire/webhook-signature.js";

/** How webhooks are signed. */
export interface SignOptions {
  /**
   * The identity of a message, by which receivers know that they have had it:
   * e.g. `({ request }) => uidOf(request)`. A random one unless given.
   */
  readonly id?: (call: ClientCall) => string;
}

/**
 * Signs what a sender sends, as the Standard Webhooks specification says. All
 * attempts of `retry` have the same `webhook-id`.
 *
 * Input: the receiver's secret, base64 with or without `whsec_`; several while
 * one replaces the other.
 * Example: `createIndexerWebhookSender({ use: [signWebhooks(secret)] })`.
 * Errors: TypeError when a secret is no base64.
 */
export function signWebhooks(
  secret: string | readonly string[],
  options: SignOptions = {},
): ClientInterceptor {
  const keys = [secret].flat().map(importSecret);
  const idKey = createKey<string>("webhook-id");
  const idOf = (call: ClientCall): string => {
    const id =
      options.id?.(call) ??
      idKey.read(call.context) ??
      `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    idKey.write(call.context, id);
    return id;
  };
  return (next) => (call) => {
    const id = idOf(call);
    const signed = async (url: string, init: RequestInit) => {
      const timestamp = Math.floor(Date.now() / 1000);
      const body = String(init.body);
      const headers = new Headers(init.headers);
      headers.set("webhook-id", id);
      headers.set("webhook-timestamp", String(timestamp));
      const message = { id, timestamp, body };
      headers.set("webhook-signature", await signMessage(keys, message));
      return (call.fetch ?? fetch)(url, { ...init, headers });
    };
    return next({ ...call, fetch: signed });
  };
}
