import { deepStrictEqual, strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { createPaymentEventsSender } from "./generated/client.js";
import { createReceiver } from "./receiver.js";

const secrets = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_Zm9yZ2VkLWZvcmdlZC1mb3JnZWQtZm9yZ2Vk",
];
const paid: string[] = [];
const receiver = createReceiver(secrets, (payment) => paid.push(payment));
const url = "https://example.com/hooks";

function createSender(secret: string, id: string) {
  return createPaymentEventsSender({
    fetch: inProcess(receiver),
    use: [signWebhooks(secret, { id: () => id })],
  });
}

for (const [index, secret] of secrets.entries()) {
  const sender = createSender(secret, `evt_${index}`);
  await sender.paid(url, { payment: `pay_${index}`, cents: 1 });
  await sender.paid(url, { payment: `pay_${index}`, cents: 1 });
}
const other = "whsec_b3RoZXItb3RoZXItb3RoZXItb3RoZXItb3RoZXI=";
const forged = createSender(other, "evt_9").paid;
const unsigned = createPaymentEventsSender({ fetch: inProcess(receiver) }).paid;
for (const send of [forged, unsigned]) {
  const result = await send.result(url, { payment: "forged", cents: 1 });
  strictEqual(result.ok ? 200 : result.error.status, 401);
}
deepStrictEqual(paid, ["pay_0", "pay_1"]);
