import { answered } from "./answered.js";
import { share } from "./shared-item.js";
import { requireNumber } from "../model/option-number.js";
import type { ItemStore, StoredItem } from "./item-store.js";
import type { SubscribeOptions } from "./subscribe-options.js";
import { Subscription } from "./subscription.js";
import { pageSize, type ReadStore, Tail } from "./tail.js";

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

  subscribe(
    topic: string,
    options: SubscribeOptions = {},
  ): AsyncGenerator<StreamItem, void, undefined> {
    const { gone } = this.#options;
    return new Subscription(
      {
        gone,
        join: () => this.#join(topic),
        read: (position) => this.#store.read(topic, position, pageSize),
        place: (stored) => this.#place(stored),
      },
      options,
    );
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

  #place({ position, text }: StoredItem): StreamItem {
    const { parse = JSON.parse, place } = this.#options;
    return place(position, parse(text));
  }
}
