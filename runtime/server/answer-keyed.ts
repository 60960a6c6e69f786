import type { Call } from "./call.js";
import type { Idempotency } from "./model/idempotency.js";
import { holdSlots, wholeResponse } from "./respond.js";
import { allCredentials } from "./tenant.js";

/** Answers a call of a method with `@idempotencyKey`. */
export async function answerKeyed<State>(
  call: Call<State>,
  message: unknown,
  idempotency: Idempotency,
): Promise<void> {
  const { context, host, method, request } = call;
  const { tenant } = host.options;
  const { error, response } = await idempotency.answer({
    method: method.row,
    request,
    message,
    context,
    tenant: () => {
      const credentials = allCredentials(method.row, request);
      // A caller's address can change between two attempts. One credential can be
      // public, so all of them identify the caller.
      if (tenant === undefined) return JSON.stringify(credentials);
      return tenant(context, request, credentials[0] ?? null);
    },
    run: async () => {
      const result = await method.handler(message, context);
      context.passed("handled");
      return wholeResponse(call, result);
    },
  });
  const { send } = method.limits;
  call.succeed(holdSlots(call, { ...response, pace: send }), error);
}
