import type { Result } from "./call.js";

/**
 * Returns the outcome of a call as a value. Rejects with any error other than
 * an RpcError.
 */
export function settle<Value, Failure>(
  outcome: Promise<Value>,
): Promise<Result<Value, Failure>> {
  return outcome.then(
    (value) => ({ ok: true, value }),
    // The type `Failure` lists only declared errors, but other RpcErrors are
    // also returned, with their own name and message.
    (error) => {
      if (!Object(error).isRpcError) throw error;
      return { ok: false, error };
    },
  );
}

/**
 * Returns the calls for a table of methods, by name. Each call also has a
 * `result` method.
 */
export function callsOf<Method, Args extends unknown[], Outcome>(
  methods: Readonly<Record<string, Method>>,
  callOf: (method: Method) => (...args: Args) => Outcome,
  settleAll: (outcome: Outcome) => unknown,
): unknown {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => {
      const call = callOf(method);
      const result = (...args: Args) => settleAll(call(...args));
      return [name, Object.assign(call, { result })];
    }),
  );
}
