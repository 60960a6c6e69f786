import type { Result } from "./call.js";

/** The outcome of a call as a value; what is no RpcError is still thrown. */
export async function settle<Value, Failure>(
  outcome: Promise<Value>,
): Promise<Result<Value, Failure>> {
  try {
    return { ok: true, value: await outcome };
  } catch (error) {
    if (!("isRpcError" in Object(error))) throw error;
    // The contract says which errors there are; others keep name and text.
    return { ok: false, error: error as Failure };
  }
}
