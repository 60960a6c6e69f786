import { maxTimerMs } from "../values/timer.js";
import { createTransportErrorAs } from "./transport-error.js";

/**
 * Stops the work for one stream when one of the caller's signals aborts or time
 * runs out.
 */
export class StreamGuard {
  /** Aborts when the work for the stream is over. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  /** Set once one of the caller's signals has aborted. */
  #aborted: Error | null = null;
  #reject: (error: unknown) => void = () => {};
  readonly #signals: readonly (AbortSignal | undefined)[];

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    this.signal = this.#controller.signal;
    this.#signals = signals;
    for (const signal of signals)
      signal?.addEventListener("abort", this.#check);
    this.#check();
  }

  readonly #check = (): void => {
    for (const signal of this.#signals)
      if (signal?.aborted) this.#abort(signal.reason);
  };

  /**
   * Runs `work` and leaves no timer behind.
   *
   * Errors: the errors of `work`, converted by `fail`; the result of `expire`
   * after `limitMs`; TransportError `aborted`.
   */
  async within<Value>(
    work: () => Promise<Value>,
    limitMs: number,
    expire: () => Error,
    fail: (cause: unknown) => Error,
  ): Promise<Value> {
    this.throwIfAborted();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#reject = reject;
        if (limitMs <= maxTimerMs) {
          timer = setTimeout(() => reject(expire()), limitMs);
        }
        work().then(resolve, (cause: unknown) => reject(fail(cause)));
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Throws TransportError `aborted` if one of the caller's signals has aborted.
   */
  throwIfAborted(): void {
    if (this.#aborted !== null) throw this.#aborted;
  }

  /** Stops all remaining work, and removes all listeners. */
  end(cause?: unknown): void {
    // The option `signal` of a listener leaks in Node 20, and React Native
    // ignores it.
    for (const signal of this.#signals)
      signal?.removeEventListener("abort", this.#check);
    this.#controller.abort(cause);
  }

  #abort(cause: unknown): void {
    this.#aborted ??= createTransportErrorAs(
      "aborted",
      { cause },
      "WebrpcClientDisconnected",
      -8,
    );
    this.#reject(this.#aborted);
    this.end(cause);
  }
}
