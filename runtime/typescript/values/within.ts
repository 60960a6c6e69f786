import { maxTimerMs } from "./timer.js";

/**
 * Waits for a promise for some time. Returns null if it takes longer.
 *
 * Input: a time in milliseconds.
 * Errors: any error from the promise.
 */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.min(ms, maxTimerMs));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
