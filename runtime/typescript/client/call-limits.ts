import type { ClientCall, ClientNext } from "./call.js";
import { same } from "../values/same.js";
import { createTransportErrorAs } from "./transport-error.js";

/**
 * Runs `next` until one of the caller's signals aborts or the call's timeout
 * elapses. Removes all timers and listeners afterward.
 *
 * Input: the signals of the client and the call. `next` gets a signal that
 * tells it to stop, with the error as its reason. Errors: any error from
 * `next`; TransportError `aborted` or `timeout`.
 */
export function withLimits(
  next: ClientNext,
  call: ClientCall,
  sources: readonly (AbortSignal | undefined)[],
): Promise<unknown> {
  // A timer cannot run for 25 days, so timeouts of 23 days or more are ignored.
  // Undefined is not less than any number.
  const hasTimer = (call.timeoutMs as number) < 2e9;
  // Most calls have no limits, and creating a controller is expensive.
  if (!hasTimer && !sources.some(same)) return next(call);
  let timer: ReturnType<typeof setTimeout> | undefined, abort: () => void;
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (error: unknown) => {
      // Reject here as well, because `next` may ignore the signal.
      reject(error);
      controller.abort(error);
    };
    abort = (): void => {
      for (const source of sources) {
        if (source?.aborted)
          end(
            createTransportErrorAs(
              "aborted",
              { cause: source.reason },
              "WebrpcClientDisconnected",
              -8,
            ),
          );
      }
    };
    for (const source of sources) source?.addEventListener("abort", abort);
    abort();
    if (hasTimer)
      timer = setTimeout(
        () => end(createTransportErrorAs("timeout")),
        call.timeoutMs,
      );
    if (!controller.signal.aborted)
      next({ ...call, signal: controller.signal }).then(resolve, reject);
  }).finally(() => {
    // The option `signal` of a listener leaks in Node 20, and React Native
    // ignores it.
    for (const source of sources) source?.removeEventListener("abort", abort);
    clearTimeout(timer);
    // Ends requests that an interceptor did not wait for.
    controller.abort();
  });
}
