import { type RpcError, WebrpcBadRequestError } from "../../wire/errors.js";

/** How many calls a new error lists; engines other than V8 may not have it. */
const stacks: { readonly name: string; stackTraceLimit?: number } = Error;

const canLimit =
  /* @__PURE__ */ Object.getOwnPropertyDescriptor(stacks, "stackTraceLimit")
    ?.writable === true;

/**
 * Runs what makes errors, so that they have no stack: errors that tell a client
 * what is wrong with its request. Nobody would see the stack, and it takes
 * longer than a small call, as often as somebody likes to send nonsense.
 */
export function withoutStack<Value>(make: () => Value): Value {
  const limit = stacks.stackTraceLimit;
  if (!canLimit || limit === undefined) return make();
  stacks.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    stacks.stackTraceLimit = limit;
  }
}

/** The error of a request that cannot be read; the cause says why. */
export function badRequest(cause: string): RpcError {
  return withoutStack(() => new WebrpcBadRequestError({ cause }));
}
