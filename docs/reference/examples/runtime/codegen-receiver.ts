// Receives webhooks. Generated receivers, such as `createShopWebhookReceiver`, call `createReceiver`.
import { createReceiver } from "@ridlkit/runtime/codegen/receiver";
import { createShopWebhookReceiver } from "../generated/server.js";

export const receiver = createShopWebhookReceiver({
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  toleranceMs: 60_000,
  handlers: { shopWebhook: { shipped: ({ id }) => console.log(id) } },
});

// Without methods, a receiver responds to every request with an error.
export const empty = createReceiver({}, {});
