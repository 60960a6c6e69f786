import type { Result } from "./call.js";

/** The outcome of a call as a value; what is no RpcError is still thrown. */
export function settle<Value, Failure>(
  outcome: Promise<Value>,
): Promise<Result<Value, Failure>> {
  return outcome.then(
    (value) => ({ ok: true, value }),
    // The contract says which errors there are; others keep name and text.
    (error) => {
      if (!Object(error).isRpcError) throw error;
      return { ok: false, error };
    },
  );
}
