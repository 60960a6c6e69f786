import { createPaymentEventsReceiver } from "./generated/server.js";

export function createReceiver(
  _secrets: readonly string[],
  onPaid: (payment: string) => void,
) {
  return createPaymentEventsReceiver({
    handlers: {
      paymentEvents: {
        paid({ payment }) {
          onPaid(payment);
        },
      },
    },
  });
}
