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
  const { signal } = end;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      // The work's own error may say more, so let it settle first.
      setImmediate(() => reject(signal.reason));
    });
  });
  const onCallerAbort = (): void => end.abort(caller?.reason);
  const message = `no complete response within ${timeoutMs} ms`;
  const timer = setTimeout(
    () => end.abort(new OutboundError("timeout", message)),
    timeoutMs,
  );
  caller?.addEventListener("abort", onCallerAbort);
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onCallerAbort);
  }
}
