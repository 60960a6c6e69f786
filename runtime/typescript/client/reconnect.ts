import { memberOf } from "../values/member.js";
import { StreamGuard } from "./stream-guard.js";
import { createStreamLost } from "./transport-error.js";
import { maxTimerMs } from "../values/timer.js";

/**
 * Describes how to resume a lost stream. Items that the server sends in the
 * meantime are lost unless `resume` requests them.
 */
export interface ReconnectOptions<Request, Item> {
  /**
   * Maximum number of consecutive attempts to reconnect. Receiving an item, or
   * staying connected for longer than `maxDelayMs`, resets the count. Default:
   * unlimited.
   */
  readonly attempts?: number;
  /**
   * Delay in milliseconds before the first attempt to reconnect. The client's
   * own delays are randomly shortened by up to half. Default: 500.
   */
  readonly minDelayMs?: number;
  /**
   * Maximum delay in milliseconds. The delay doubles with every attempt.
   * `Retry-After` in a response takes precedence, unless it is 0. Default:
   * 30,000.
   */
  readonly maxDelayMs?: number;
  /**
   * Returns the request for the next connection, e.g. one that starts after the
   * last item. Default: the same request.
   */
  resume?(request: Request, last: Item | undefined): Request;
}

/**
 * Yields the items of successive connections until one ends normally.
 *
 * Input: `usualResume` is that of the method, and `toldMs` returns the delay that the last response asked for, or null.
 * Errors: any error from `connect` that another attempt would not fix, and the
 * last error when no attempts are left; TransportError `aborted`.
 */
export async function* reconnectStream<Request, Item>(
  connect: (request: Request) => AsyncIterable<Item>,
  request: Request,
  options: ReconnectOptions<Request, Item>,
  usualResume: ReconnectOptions<Request, Item>["resume"],
  signals: readonly (AbortSignal | undefined)[],
  toldMs: () => number | null,
): AsyncGenerator<Item, void, undefined> {
  const { attempts = Infinity, maxDelayMs = 30_000 } = options;
  let last: Item | undefined;
  let usual: Request | undefined;
  let next = request;
  for (let failed = 0; ; failed += 1) {
    const start = performance.now();
    try {
      for await (const item of connect(next)) {
        failed = 0;
        last = item;
        // The program can change the item.
        usual = usualResume?.(request, item);
        yield item;
      }
      return;
    } catch (error) {
      // An attempt that could not connect does not count, however long it took.
      if (isLost(error) && performance.now() - start > maxDelayMs) failed = 0;
      if (failed >= attempts || !isPassing(error)) throw error;
    }
    const usualMs = delayOf(failed, options.minDelayMs ?? 500, maxDelayMs);
    // Without any delay, unlimited attempts would flood the server.
    await pause(Math.min(toldMs() || usualMs, maxTimerMs), signals);
    next = (options.resume ? options.resume(request, last) : usual) ?? request;
  }
}

/** Whether the client or, e.g. on Lambda, the server reports a lost stream. */
function isLost(error: unknown): boolean {
  return memberOf(error, "name") === "WebrpcStreamLost";
}

/**
 * Whether a failure may be temporary: a network error, a timeout, a lost
 * stream, or an overloaded server. A global that the platform lacks is also
 * reported as a network error.
 */
function isPassing(error: unknown): boolean {
  return (
    isLost(error) ||
    [429, 502, 503, 504].includes(Number(memberOf(error, "status"))) ||
    (/network|timeout/.test(String(memberOf(error, "reason"))) &&
      !(memberOf(error, "cause") instanceof ReferenceError))
  );
}

/**
 * Returns a delay with jitter, because all clients may have lost their
 * connections at once.
 */
function delayOf(failed: number, minMs: number, maxMs: number): number {
  const delayMs = Math.min(maxMs, minMs * 2 ** failed);
  return delayMs * (0.5 + Math.random() / 2);
}

async function pause(
  delayMs: number,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  const guard = new StreamGuard(signals);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): Promise<void> =>
    new Promise((resolve) => (timer = setTimeout(resolve, delayMs)));
  try {
    const lost = (): Error => createStreamLost();
    await guard.within(wait, Infinity, lost, lost);
  } finally {
    clearTimeout(timer);
    guard.end();
  }
}
