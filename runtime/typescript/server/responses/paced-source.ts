import { maxTimerMs } from "../../values/timer.js";

/**
 * Reads values from an iterator on demand, one at a time. The caller limits how
 * long to wait for a value.
 */
export class PacedSource<Value> {
  readonly #iterator: AsyncIterator<Value>;
  readonly #onStop: () => void;
  /** Whether a value was requested but has not been returned yet. */
  #isPulled = false;
  /**
   * Returns the requested value or throws the iterator's error. It must be
   * called once. Null while the value is pending.
   */
  #outcome: (() => IteratorResult<Value>) | null = null;
  #isCancelled = false;
  /** Ends the wait of a pending `next`. */
  #wake: () => void = () => {};

  /** `onStop` is called when the iterator has ended. */
  constructor(iterator: AsyncIterator<Value>, onStop: () => void) {
    this.#iterator = iterator;
    this.#onStop = onStop;
  }

  /**
   * Returns the next value, or null if it is still pending after `waitMs`.
   * After `cancel`, there are no more values.
   *
   * Errors: any error from the iterator.
   */
  async next(waitMs: number): Promise<IteratorResult<Value> | null> {
    if (!this.#isPulled && !this.#isCancelled) this.#pull();
    if (this.#outcome === null) await this.#wait(waitMs);
    if (this.#isCancelled) return { done: true, value: undefined };
    const outcome = this.#outcome;
    if (outcome === null) return null;
    this.#outcome = null;
    this.#isPulled = false;
    return outcome();
  }

  /** Tells the iterator to stop and stops waiting. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#wake();
    // No caller is left to receive an error.
    Promise.resolve()
      .then(() => this.#iterator.return?.())
      .catch(() => {})
      .then(this.#onStop);
  }

  #pull(): void {
    this.#isPulled = true;
    const settle = (outcome: () => IteratorResult<Value>): void => {
      this.#outcome = outcome;
      this.#wake();
    };
    Promise.resolve()
      .then(() => this.#iterator.next())
      .then(
        (result) => {
          if (result.done === true) this.#onStop();
          settle(() => result);
        },
        (error: unknown) => {
          this.#onStop();
          settle(() => {
            throw error;
          });
        },
      );
  }

  async #wait(waitMs: number): Promise<void> {
    if (this.#isCancelled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (waitMs <= maxTimerMs) timer = setTimeout(resolve, waitMs);
    });
    clearTimeout(timer);
  }
}
