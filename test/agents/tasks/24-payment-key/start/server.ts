import { createKey } from "@ridlkit/runtime/server";
import { OverLimitError } from "./generated/errors.js";
import { createPaymentsServer } from "./generated/server.js";
import { customerOf, pay } from "./ledger.js";

const customerKey = createKey<string>("customer");

export const payments = createPaymentsServer({
  verifyToken(token, context) {
    const customer = customerOf(token);
    if (customer === null) return false;
    context.set(customerKey, customer);
    return true;
  },
  handlers: {
    payments: {
      pay({ to, cents }, context) {
        if (cents > 100_000) throw new OverLimitError();
        return { receipt: pay(context.get(customerKey) ?? "", to, cents) };
      },
    },
  },
});
