import type { Interceptor } from "@ridlkit/runtime/server";
import { createPaymentEventsReceiver } from "./generated/server.js";

export function createReceiver(
  secrets: readonly string[],
  onPaid: (payment: string) => void,
) {
  const handled = new Set<string>();
  const once: Interceptor = (next) => async (call) => {
    const id = call.context.header("webhook-id") ?? "";
    if (handled.has(id)) return {};
    const answer = await next(call);
    handled.add(id);
    return answer;
  };
  return createPaymentEventsReceiver({
    secrets,
    interceptors: [once],
    handlers: {
      paymentEvents: {
        paid({ payment }) {
          onPaid(payment);
        },
      },
    },
  });
}
