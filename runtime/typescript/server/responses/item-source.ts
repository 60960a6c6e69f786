/** The next item of a stream, or its end. */
export type Step = IteratorResult<unknown, unknown>;

/** The items of a stream. */
export interface ItemSource {
  /**
   * Returns the next item, or the end. If there is none yet, returns undefined and
   * calls `wake` later, when it is worth asking again.
   *
   * Input: `isBrief` is true if there is something to send meanwhile. Then the
   * result is null if the item needs waiting.
   * Errors: any error from what produces the items.
   */
  take(wake: () => void, isBrief: boolean): Step | null | undefined;
  /** Ends the source. Then there are no more items, and who waits is woken. */
  cancel(): void;
}

/** Opens a source, given a function to call once it has ended. */
type OpenSource = (onStop: () => void) => ItemSource | null;

const offered = new WeakMap<object, OpenSource>();

/**
 * Offers the items of an iterator without a promise for each.
 *
 * Input: `open` returns null if the iterator is already in use.
 */
export function offerSource(
  iterator: AsyncIterator<unknown>,
  open: OpenSource,
): void {
  offered.set(iterator, open);
}

/** Returns the source of an iterator's items. */
export function sourceOf(
  iterator: AsyncIterator<unknown>,
  onStop: () => void,
): ItemSource {
  const open = offered.get(iterator);
  return open?.(onStop) ?? new IteratorSource(iterator, onStop);
}

// Microtasks that a value may take: two for a generator, two for each around it.
const readySteps = 8;

/** Requests items from an iterator on demand, one at a time. */
class IteratorSource implements ItemSource {
  readonly #iterator: AsyncIterator<unknown>;
  readonly #onStop: () => void;
  /** The number of requested items. */
  #count = 0;
  /** Whether an item was requested but has not been returned yet. */
  #isPulled = false;
  /** The requested item. Null while it is pending. */
  #result: Step | null = null;
  #failure: { readonly error: unknown } | null = null;
  #isCancelled = false;
  #wake = (): void => {};
  /** The items for which a brief call waits, and for which none waits any more. */
  #awaited = 0;
  #late = 0;

  constructor(iterator: AsyncIterator<unknown>, onStop: () => void) {
    this.#iterator = iterator;
    this.#onStop = onStop;
  }

  take(wake: () => void, isBrief: boolean): Step | null | undefined {
    if (this.#isCancelled) return { done: true, value: undefined };
    if (this.#failure !== null) throw this.#failure.error;
    const result = this.#result;
    if (result !== null) {
      this.#result = null;
      this.#isPulled = false;
      return result;
    }
    this.#wake = wake;
    if (!this.#isPulled) this.#pull();
    if (!isBrief) return undefined;
    if (this.#late === this.#count) return null;
    if (this.#awaited !== this.#count) void this.#waitBriefly(this.#count);
    return undefined;
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    // No caller is left to receive an error.
    Promise.resolve()
      .then(() => this.#iterator.return?.())
      .catch(() => {})
      .then(this.#onStop);
    this.#wake();
  }

  #pull(): void {
    this.#isPulled = true;
    this.#count += 1;
    this.#ask().then(this.#keep, this.#fail);
  }

  /** Never throws, because a wait could not end before it has begun. */
  #ask(): Promise<Step> {
    try {
      return Promise.resolve(this.#iterator.next());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  readonly #keep = (result: Step): void => {
    // As in `for await`, any truthy value is the end.
    this.#result = result.done ? { done: true, value: undefined } : result;
    if (result.done) this.#onStop();
    this.#wake();
  };

  readonly #fail = (error: unknown): void => {
    this.#failure = { error };
    this.#onStop();
    this.#wake();
  };

  async #waitBriefly(count: number): Promise<void> {
    this.#awaited = count;
    const isPending = (): boolean =>
      this.#count === count && this.#result === null && this.#failure === null;
    for (let i = 0; i < readySteps && isPending(); i += 1) await null;
    if (!isPending()) return;
    this.#late = count;
    this.#wake();
  }
}
