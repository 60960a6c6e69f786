import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { OverLimitError } from "./generated/errors.js";
import { createPaymentsServer } from "./generated/server.js";
import { customerOf, pay } from "./ledger.js";

export const payments = createPaymentsServer<{ customer: string | null }>({
  createState: () => ({ customer: null }),
  verifyToken(token, { state }) {
    state.customer = customerOf(token);
    return state.customer !== null;
  },
  caller: ({ state }) => state.customer,
  idempotency: idempotency(memoryAnswers()),
  handlers: {
    payments: {
      pay({ to, cents }, { state }) {
        if (cents > 100_000) throw new OverLimitError();
        return { receipt: pay(state.customer ?? "", to, cents) };
      },
    },
  },
});
