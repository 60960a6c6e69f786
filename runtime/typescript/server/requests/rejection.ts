import { builtInErrors, RpcError } from "../../wire/errors.js";

/**
 * `Error` with the number of stack frames that new errors collect. Only V8 has
 * this property.
 */
const stacks: { readonly name: string; stackTraceLimit?: number } = Error;

const canLimit =
  /* @__PURE__ */ Object.getOwnPropertyDescriptor(stacks, "stackTraceLimit")
    ?.writable === true;

/**
 * Runs code without collecting stack traces for the errors that it creates.
 * Errors about invalid requests need no stack. Collecting it takes longer than
 * a small call, and anyone can send such requests.
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

/**
 * Creates the error for a request that cannot be read, with the reason as the
 * cause. Clients recognize it by its name and code, whatever its status is.
 */
export function badRequest(cause: string, status = 400): RpcError {
  const definition = { ...builtInErrors.WebrpcBadRequest, status };
  return withoutStack(() => new RpcError(definition, { cause }));
}
