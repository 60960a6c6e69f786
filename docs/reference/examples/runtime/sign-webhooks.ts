// Signs outbound webhooks according to the [Standard Webhooks](https://www.standardwebhooks.com) specification.
import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { createShopWebhookSender } from "../generated/client.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export const sender = createShopWebhookSender({
  use: [signWebhooks(secret, { id: ({ request }) => JSON.stringify(request) })],
});
