import { maxTimerMs } from "../../values/timer.js";

/**
 * Takes values from an iterator one at a time, and only when asked for them,
 * without waiting longer for one than it is told.
 */
export class PacedSource<Value> {
  readonly #iterator: AsyncIterator<Value>;
  /** Whether a value has been asked for and not yet been given on. */
  #isPulled = false;
  /** What came of it, to be called once; null while it is on its way. */
  #outcome: (() => IteratorResult<Value>) | null = null;
  #isCancelled = false;
  /** Ends the wait of a `next` that is under way. */
  #wake: () => void = () => {};

  constructor(iterator: AsyncIterator<Value>) {
    this.#iterator = iterator;
  }

  /**
   * The next value; null when it takes longer than `waitMs`, and then it is
   * still on its way. After `cancel` there is no further one.
   *
   * Errors: those of the iterator.
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

  /** Tells the iterator that nobody waits for more, and waits no longer. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#wake();
    // Nobody is left to receive an error.
    Promise.resolve()
      .then(() => this.#iterator.return?.())
      .catch(() => {});
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
        (result) => settle(() => result),
        (error: unknown) =>
          settle(() => {
            throw error;
          }),
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
