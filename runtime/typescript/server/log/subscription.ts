import { builtInErrors } from "../../wire/errors.js";
import { Refusal } from "../model/refusal.js";
import { type ItemSource, offerSource } from "../responses/item-source.js";
import { taken } from "../responses/taking.js";
import type { ItemPage, StoredItem } from "./item-store.js";
import type { SubscribeOptions } from "./subscribe-options.js";
import type { Tail } from "./tail.js";

/** The topic of a subscription. */
export interface SubscribedTopic<Item> {
  /** Returns the newest items, which must be left. */
  join(): { readonly tail: Tail<Item>; readonly leave: () => void };
  /** Reads the next items after a position, for who is behind the tail. */
  read(position: number): Promise<ItemPage>;
  place(stored: StoredItem): Item;
  /** Returns the error for a cursor whose next item is no longer kept. */
  gone(): Error;
}

type Step<Item> = IteratorResult<Item, undefined>;

const ended: Step<never> = { done: true, value: undefined };

/**
 * Reads the items of a topic. An item in memory needs no promise, so that many
 * subscriptions cost little.
 */
export class Subscription<Item>
  implements AsyncGenerator<Item, void, undefined>, ItemSource
{
  readonly #topic: SubscribedTopic<Item>;
  readonly #options: SubscribeOptions;
  /** Null before the first call. */
  #tail: Tail<Item> | null = null;
  #leave = (): void => {};
  #position = 0;
  /** Whether the position is one that this instance has read. */
  #isKnown = false;
  /** Items that were read from the store, the next one last. */
  #page: StoredItem[] = [];
  /** The newest item when the store had no more. */
  #emptyAt: number | null | undefined;
  /** Whether the store is being asked. */
  #isAsking = false;
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;
  #wake = (): void => {};
  #onStop = (): void => {};
  #isRead = false;
  /** The last call of `next`, unless it has an answer. */
  #last: Promise<unknown> | null = null;

  constructor(topic: SubscribedTopic<Item>, options: SubscribeOptions) {
    this.#topic = topic;
    this.#options = options;
    offerSource(this, (onStop) => this.#open(onStop));
  }

  take(wake: () => void, isBrief: boolean): Step<Item> | null | undefined {
    try {
      if (this.#isOver) return ended;
      if (this.#failure !== null) throw this.#failure.error;
      const tail = this.#tail ?? this.#join();
      if (tail === null) return ended;
      this.#wake = wake;
      if (!this.#isAsking) {
        const item = this.#find(tail);
        if (item !== null) return { done: false, value: item() };
        this.#waitFor(tail);
      }
      return isBrief ? null : undefined;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  cancel(): void {
    this.#end();
    this.#wake();
  }

  next(): Promise<Step<Item>> {
    this.#isRead = true;
    const take = (): Promise<Step<Item>> =>
      taken((wake) => this.take(wake, false) ?? undefined);
    const step = this.#last === null ? take() : this.#last.then(take, take);
    const forget = (): void => {
      if (this.#last === step) this.#last = null;
    };
    this.#last = step;
    step.then(forget, forget);
    return step;
  }

  return(): Promise<Step<Item>> {
    this.cancel();
    return Promise.resolve(ended);
  }

  throw(error: unknown): Promise<Step<Item>> {
    this.cancel();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Called when the signal aborts. */
  handleEvent(): void {
    this.cancel();
  }

  #open(onStop: () => void): ItemSource | null {
    const isOwn = this.next === Subscription.prototype.next;
    if (this.#isRead || this.#isOver || !isOwn) return null;
    this.#onStop = onStop;
    return this;
  }

  /** Returns null if the signal has aborted. */
  #join(): Tail<Item> | null {
    const { signal } = this.#options;
    if (signal?.aborted === true) {
      this.#end();
      return null;
    }
    signal?.addEventListener("abort", this);
    const { tail, leave } = this.#topic.join();
    this.#tail = tail;
    this.#leave = leave;
    this.#ask(this.#start(tail));
    return tail;
  }

  /** Finds the first item. */
  async #start(tail: Tail<Item>): Promise<void> {
    await orUnavailable(tail.started);
    const { after, from = "oldest" } = this.#options;
    const newest = from === "newest" ? (tail.last ?? 0) : 0;
    this.#position = after === undefined ? newest : this.#positionOf(after);
    // A client may know a cursor that this instance has not read yet.
    this.#isKnown = after === undefined;
  }

  /** Moves to the next item. Returns null if it is not in memory. */
  #find(tail: Tail<Item>): (() => Item) | null {
    const stored = this.#page.pop();
    const next = stored ?? tail.after(this.#position);
    if (next === null) return null;
    this.#position = next.position;
    this.#isKnown = true;
    if (stored !== undefined) return () => this.#topic.place(stored);
    return "item" in next ? next.item : null;
  }

  #waitFor(tail: Tail<Item>): void {
    const isEnd = tail.isEnd(this.#position) || this.#emptyAt === tail.last;
    if (this.#isKnown && isEnd) tail.wait(this.#onItems);
    else this.#ask(this.#read(tail));
  }

  readonly #onItems = (): void => this.#wake();

  async #read(tail: Tail<Item>): Promise<void> {
    const { last } = tail;
    const page = await orUnavailable(this.#topic.read(this.#position));
    if (!continues(page, this.#position)) throw this.#topic.gone();
    this.#page = page.items.toReversed();
    this.#isKnown = true;
    // The store may have lost the items that the tail knows of.
    this.#emptyAt = page.items.length === 0 ? last : undefined;
  }

  #ask(work: Promise<void>): void {
    this.#isAsking = true;
    const fail = (error: unknown): void => {
      this.#failure = { error };
    };
    void work.catch(fail).then(() => {
      this.#isAsking = false;
      this.#wake();
    });
  }

  #positionOf(after: number | bigint | string): number {
    const position = after === "" ? Number.NaN : Number(after);
    if (Number.isSafeInteger(position) && position >= 0) return position;
    throw this.#topic.gone();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#page = [];
    this.#options.signal?.removeEventListener("abort", this);
    this.#tail?.leave(this.#onItems);
    this.#leave();
    this.#onStop();
  }
}

// As generators, whose later versions have e.g. `Symbol.asyncDispose`.
Object.setPrototypeOf(
  Subscription.prototype,
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)),
);

/** Lets clients reconnect if the store fails. */
async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch {
    throw new Refusal({ ...builtInErrors.WebrpcRequestFailed, status: 503 });
  }
}

/** Whether a page continues a topic after a position without a gap. */
function continues({ items, last }: ItemPage, position: number): boolean {
  // Whoever has seen nothing starts with the oldest item.
  if (position === 0) return true;
  const [first] = items;
  return first === undefined
    ? last === position
    : first.position === position + 1;
}
