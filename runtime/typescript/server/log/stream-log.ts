import { answered, unlessAborted } from "./answered.js";
import { builtInErrors } from "../../wire/errors.js";
import { Refusal } from "../model/refusal.js";
import { share } from "./shared-item.js";
import { requireNumber } from "../model/option-number.js";
import type { ItemPage, ItemStore, StoredItem } from "./item-store.js";
import { type Changes, pageSize, type ReadStore, Tail } from "./tail.js";

/** Options for {@link streamLog}. */
export interface StreamLogOptions<Item, StreamItem, Transaction> {
  /** Keeps the items: `memoryItems` or `postgresItems`. */
  readonly store: ItemStore<Transaction>;
  /**
   * Returns the item of the stream for a published item, with its cursor. All
   * subscribers get the same object, which must not change: it is printed once.
   */
  readonly place: (cursor: number, item: Item) => StreamItem;
  /**
   * Returns the error for a cursor whose next item is no longer kept, usually one
   * that the contract declares.
   */
  readonly gone: () => Error;
  /**
   * Maximum number of items of a topic in memory, which all its subscribers share.
   * Who is further behind reads from the store. Default: 1,000.
   */
  readonly tailItems?: number;
  /** Replaces `JSON.stringify`, e.g. for items with `bigint`. */
  readonly stringify?: (item: Item) => string;
  /** Replaces `JSON.parse`. */
  readonly parse?: (text: string) => Item;
}

/** Where a subscription starts, and when it ends. */
export interface SubscribeOptions {
  /**
   * The cursor of the last item that the client has seen. Default: it has seen
   * none.
   */
  readonly after?: number | bigint | string | undefined;
  /** Without a cursor: the first item. Default: `oldest`. */
  readonly from?: "oldest" | "newest";
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** A log of the items of streams. */
export interface StreamLog<Item, StreamItem, Transaction = never> {
  /**
   * Adds an item to a topic, which subscribers on all instances get. Returns its
   * cursor.
   *
   * Input: the transaction that makes the item visible. Default: none.
   * Errors: any error from the store, and `TypeError` for an item that is no JSON.
   */
  publish(
    topic: string,
    item: Item,
    transaction?: Transaction,
  ): Promise<number>;
  /**
   * Yields the items of a topic after a cursor, past and future, each once and in
   * order.
   *
   * Errors: the error of `gone`; 503 `WebrpcRequestFailed` if the store fails,
   * after which clients reconnect.
   */
  subscribe(
    topic: string,
    options?: SubscribeOptions,
  ): AsyncGenerator<StreamItem, void, undefined>;
}

/**
 * Creates a log that keeps the last items of streams, so that clients can resume
 * (`@resume`).
 *
 * Example: `streamLog({ store: memoryItems(), place: (id, text) => ({ id, text }),
 * gone: () => new MessagesGoneError() })`.
 */
export function streamLog<Item, StreamItem, Transaction = never>(
  options: StreamLogOptions<Item, StreamItem, Transaction>,
): StreamLog<Item, StreamItem, Transaction> {
  requireNumber("streamLog.tailItems", options.tailItems, 1);
  return new Log(options);
}

interface SharedTail<StreamItem> {
  readonly tail: Tail<StreamItem>;
  readers: number;
}

class Log<Item, StreamItem, Transaction> implements StreamLog<
  Item,
  StreamItem,
  Transaction
> {
  readonly #options: StreamLogOptions<Item, StreamItem, Transaction>;
  readonly #store: ReadStore;
  readonly #tails = new Map<string, SharedTail<StreamItem>>();

  constructor(options: StreamLogOptions<Item, StreamItem, Transaction>) {
    const { store } = options;
    this.#options = options;
    this.#store = {
      read: async (...args) => answered(store.read(...args)),
      watch: (...args) => store.watch(...args),
    };
  }

  async publish(
    topic: string,
    item: Item,
    transaction?: Transaction,
  ): Promise<number> {
    const { store, stringify = JSON.stringify } = this.#options;
    const text: unknown = stringify(item);
    // No subscriber could read such an item, or pass it.
    if (typeof text !== "string") throw new TypeError("the item is no JSON");
    return store.append(topic, text, transaction);
  }

  async *subscribe(
    topic: string,
    { after, from = "oldest", signal }: SubscribeOptions = {},
  ): AsyncGenerator<StreamItem, void, undefined> {
    const { tail, leave } = this.#join(topic);
    let changes: Changes | undefined;
    try {
      changes = tail.changes(signal);
      await this.#reading(tail.started, signal);
      const newest = from === "newest" ? (tail.last ?? 0) : 0;
      let position = after === undefined ? newest : this.#positionOf(after);
      // A client may know a cursor that this instance has not read yet.
      let isKnown = after === undefined;
      while (!changes.isOver) {
        const next = tail.after(position);
        if (next !== null) {
          position = next.position;
          isKnown = true;
          yield next.item();
        } else if (isKnown && tail.isEnd(position)) {
          await changes.next();
        } else {
          const { last } = tail;
          const page = await this.#read(topic, position, signal);
          for (const stored of page) {
            if (changes.isOver) return;
            position = stored.position;
            yield this.#place(stored);
          }
          isKnown = true;
          // The store may have lost the items that the tail knows of.
          if (page.length === 0 && tail.last === last) await changes.next();
        }
      }
    } finally {
      changes?.stop();
      leave();
    }
  }

  /** Returns the tail of a topic, which is closed when its last reader leaves. */
  #join(topic: string): { tail: Tail<StreamItem>; leave: () => void } {
    const { tailItems = 1000 } = this.#options;
    const place = (stored: StoredItem): StreamItem =>
      share(this.#place(stored));
    const shared = this.#tails.get(topic) ?? {
      tail: new Tail(topic, this.#store, place, tailItems),
      readers: 0,
    };
    this.#tails.set(topic, shared);
    shared.readers += 1;
    return {
      tail: shared.tail,
      leave: () => {
        shared.readers -= 1;
        if (shared.readers > 0) return;
        this.#tails.delete(topic);
        shared.tail.close();
      },
    };
  }

  /**
   * Returns the next items of a reader that is behind the tail, and none if the
   * signal aborts.
   *
   * Errors: the error of `gone` if the item after the position is not kept.
   */
  async #read(
    topic: string,
    position: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly StoredItem[]> {
    const reading = this.#store.read(topic, position, pageSize);
    const page = await this.#reading(reading, signal);
    if (page === null) return [];
    if (!continues(page, position)) throw this.#options.gone();
    return page.items;
  }

  /** Lets clients reconnect if the store fails. Null if the signal aborts. */
  async #reading<Value>(
    work: Promise<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Value | null> {
    try {
      return await unlessAborted(work, signal);
    } catch {
      throw new Refusal({ ...builtInErrors.WebrpcRequestFailed, status: 503 });
    }
  }

  #positionOf(after: number | bigint | string): number {
    const position = after === "" ? Number.NaN : Number(after);
    if (Number.isSafeInteger(position) && position >= 0) return position;
    throw this.#options.gone();
  }

  #place({ position, text }: StoredItem): StreamItem {
    const { parse = JSON.parse, place } = this.#options;
    return place(position, parse(text));
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
