import { builtInErrors, RpcError } from "../errors.js";

/** Header with which a client says how long it waits, in milliseconds. */
export const timeoutHeader = "request-timeout-ms";

/** Timers take no more than 24 days, which is as good as no limit. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * How long a request may take: what the client says, at most `limitMs`. A
 * header that is no number of milliseconds says nothing.
 */
export function readTimeout(header: string | null, limitMs: number): number {
  if (header === null || !/^[0-9]{1,10}$/u.test(header)) return limitMs;
  return Math.min(Number(header), limitMs);
}

/**
 * What `work` comes to, within `timeoutMs`. No timer is left behind.
 *
 * Errors: those of `work`; what `expire` gives when the time is up, after which
 * nothing more is heard of `work`.
 */
export function withDeadline<Value>(
  work: Promise<Value>,
  timeoutMs: number,
  expire: () => unknown,
): Promise<Value> {
  if (timeoutMs > maxTimerMs) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(expire()), timeoutMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** The error of an answer that took too long: `WebrpcRequestFailed` with 504. */
export function deadlineExceeded(timeoutMs: number): RpcError {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status: 504 };
  const cause = `no answer within ${String(timeoutMs)} ms`;
  return new RpcError(definition, { cause });
}
