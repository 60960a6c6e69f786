import { maxTimerMs } from "../../values/timer.js";

// Microtasks that a value may take: two for a generator, two for each around it.
const readySteps = 8;

/**
 * Reads values from an iterator on demand, one at a time. The caller limits how
 * long to wait for a value.
 */
export class PacedSource<Value> {
  readonly #iterator: AsyncIterator<Value>;
  readonly #onStop: () => void;
  /** Whether a value was requested but has not been returned yet. */
  #isPulled = false;
  /** The requested value. Null while it is pending. */
  #result: IteratorResult<Value> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #isCancelled = false;
  /** Ends the wait of a pending `next`. */
  #wake: (() => void) | null = null;
  /** When a pending `next` ends, on the clock of `performance.now()`. */
  #due = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires. */
  #timerDue = Infinity;

  /** `onStop` is called when the iterator has ended. */
  constructor(iterator: AsyncIterator<Value>, onStop: () => void) {
    this.#iterator = iterator;
    this.#onStop = onStop;
  }

  /**
   * Returns the next value, or null if it is still pending after `waitMs`.
   * After `cancel`, there are no more values. Each call must wait for the one
   * before.
   *
   * Errors: any error from the iterator.
   */
  async next(waitMs: number): Promise<IteratorResult<Value> | null> {
    this.#pull();
    if (this.#isPending()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#wakeIn(waitMs);
      });
      this.#wake = null;
    }
    return this.#take();
  }

  /** As `next`, but returns null unless the value needs no waiting. */
  async nextReady(): Promise<IteratorResult<Value> | null> {
    this.#pull();
    for (let i = 0; i < readySteps && this.#isPending(); i += 1) await null;
    return this.#take();
  }

  /** Returns the requested value, or null while it is pending. */
  #take(): IteratorResult<Value> | null {
    if (this.#isCancelled) return { done: true, value: undefined };
    if (this.#failure !== null) throw this.#failure.error;
    const result = this.#result;
    if (result === null) return null;
    this.#result = null;
    this.#isPulled = false;
    return result;
  }

  /** Tells the iterator to stop and stops waiting. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#end();
    // No caller is left to receive an error.
    Promise.resolve()
      .then(() => this.#iterator.return?.())
      .catch(() => {})
      .then(this.#onStop);
  }

  #isPending(): boolean {
    const isSettled = this.#result !== null || this.#failure !== null;
    return !isSettled && !this.#isCancelled;
  }

  #pull(): void {
    if (this.#isPulled || this.#isCancelled) return;
    this.#isPulled = true;
    try {
      Promise.resolve(this.#iterator.next()).then(this.#keep, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #keep = (result: IteratorResult<Value>): void => {
    // As in `for await`, any truthy value is the end.
    this.#result = result.done ? { done: true, value: undefined } : result;
    if (!result.done) return this.#wake?.();
    this.#onStop();
    this.#end();
  };

  readonly #fail = (error: unknown): void => {
    this.#failure = { error };
    this.#onStop();
    this.#end();
  };

  /** Stops waiting for good. */
  #end(): void {
    clearTimeout(this.#timer);
    this.#timerDue = Infinity;
    this.#wake?.();
  }

  /** Many values share a timer, because most arrive before it fires. */
  #wakeIn(ms: number): void {
    this.#due = ms > maxTimerMs ? Infinity : performance.now() + ms;
    if (this.#timerDue > this.#due) this.#arm(ms);
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    this.#timerDue = performance.now() + ms;
    this.#timer = setTimeout(() => {
      this.#timerDue = Infinity;
      if (this.#wake === null) return;
      const leftMs = this.#due - performance.now();
      // Timers can fire a fraction of a millisecond early.
      if (leftMs <= 1) this.#wake();
      else if (leftMs < Infinity) this.#arm(leftMs);
    }, ms);
  }
}
