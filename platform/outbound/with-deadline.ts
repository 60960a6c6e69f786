import { OutboundError } from "./outbound-error.js";

/**
 * Runs work with an overall deadline. Work that ignores the signal is
 * abandoned.
 *
 * Errors: `OutboundError` with reason `timeout`; the reason of the caller's
 * signal if it is aborted; any error from the work.
 */
export async function withDeadline<Answer>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  caller?.throwIfAborted();
  const end = new AbortController();
  const { promise, reject } = createRejection();
  const stop = (reason: unknown): void => {
    reject(reason);
    end.abort(reason);
  };
  const onCallerAbort = (): void => stop(caller?.reason);
  const message = `no complete response within ${timeoutMs} ms`;
  const timer = setTimeout(
    () => stop(new OutboundError("timeout", message)),
    timeoutMs,
  );
  caller?.addEventListener("abort", onCallerAbort);
  try {
    return await Promise.race([work(end.signal), promise]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onCallerAbort);
  }
}

function createRejection(): {
  readonly promise: Promise<never>;
  readonly reject: (reason: unknown) => void;
} {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, give) => {
    reject = give;
  });
  return { promise, reject };
}
