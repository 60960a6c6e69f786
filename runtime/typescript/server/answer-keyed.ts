import type { ServerCall } from "./call.js";
import type { Idempotency } from "./model/idempotency.js";
import type { ReadMessage } from "./model/server-method.js";
import { holdSlots, wholeResponse } from "./respond.js";
import { allCredentials } from "./tenant.js";

/** Answers a call of a method with `@idempotencyKey`. */
export async function answerKeyed<State>(
  call: ServerCall<State>,
  { message, sent = "{}" }: ReadMessage,
  idempotency: Idempotency,
): Promise<void> {
  const { context, host, method, request } = call;
  const { tenant } = host.options;
  const { error, response } = await idempotency.answer({
    method: method.row,
    request,
    message,
    sent,
    context,
    timeoutMs: method.limits.timeoutMs,
    caller: () => callerOf(call),
    formerCallers: () => {
      const credentials = allCredentials(method.row, request);
      return tenant === undefined
        ? [JSON.stringify(credentials)]
        : [tenant(context, request, credentials[0] ?? null)];
    },
    run: async () => {
      context.startAnswer();
      const result = await method.handler(message, context);
      context.passed("handled");
      return wholeResponse(call, result);
    },
    withHeaders: (response) => context.withHeaders(response),
  });
  const { send } = method.limits;
  call.succeed(holdSlots(call, { ...response, pace: send }), error);
}

/**
 * Returns who makes a call. Errors: `TypeError` if a method has credentials and
 * the server does not know who made the call.
 */
function callerOf<State>({
  context,
  host,
  method,
}: ServerCall<State>): string | null {
  const { parameters, state } = context;
  const { name, service } = method.row;
  // Headers are left out, because no header identifies a caller for long.
  const known = { get: context.get, method: name, parameters, service, state };
  const caller: unknown = host.options.caller?.(known) ?? null;
  if (typeof caller === "string" && caller !== "") return caller;
  if (caller === null && method.row.credentials.length === 0) return null;
  throw new TypeError(
    `server option caller: expected a text that is not empty for ${service}/${name}`,
  );
}
