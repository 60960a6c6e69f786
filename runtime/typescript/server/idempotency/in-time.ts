import { within } from "../../values/within.js";

/**
 * Waits for a part of a transaction, which must end at a time on the clock of
 * `performance.now()`.
 *
 * Errors: any error from the function; Error if it takes too long.
 */
export async function inTime<Value>(
  endsAt: number,
  run: () => Promise<Value>,
): Promise<Value> {
  const ms = endsAt - performance.now();
  const work = async (): Promise<{ value: Value }> => ({ value: await run() });
  const done = ms > 0 ? await within(work(), ms) : null;
  if (done !== null) return done.value;
  throw new Error("the call took too long, so its transaction was rolled back");
}
