/** An item of a topic as stores keep it. */
export interface StoredItem {
  /**
   * The place of the item in its topic. Each item has the position of the
   * previous one plus 1.
   */
  readonly position: number;
  /** The item as text. */
  readonly text: string;
}

/** A part of a topic. */
export interface ItemPage {
  /** Position of the newest item, or null if the topic has never had one. */
  readonly last: number | null;
  /** The oldest kept items after the position, in their order. */
  readonly items: readonly StoredItem[];
}

/** Keeps the items of topics. All instances of a server share these items. */
export interface ItemStore<Transaction = never> {
  /**
   * Adds an item and returns its position. An item becomes visible only after
   * all items of its topic with lower positions.
   *
   * Input: the transaction in which to add it. Default: none.
   */
  append(
    topic: string,
    text: string,
    transaction?: Transaction,
  ): Promise<number>;
  /** Returns at most `limit` items after a position. */
  read(topic: string, after: number, limit: number): Promise<ItemPage>;
  /**
   * Calls `wake` when a topic may have new items, until the returned function is
   * called.
   */
  watch(topic: string, wake: () => void): () => void;
}

/** How many items a store keeps. */
export interface KeepOptions {
  /** Number of items of each topic. Default: 1,000. */
  readonly items?: number;
  /**
   * Time in milliseconds after which an item is removed, unless it is the newest
   * of its topic. Default: no limit.
   */
  readonly ms?: number;
}

/**
 * Returns the position of a topic's first item: the time in microseconds. If a
 * topic starts again, e.g. because the process that kept it ended, no cursor of
 * before has a position of the new one.
 */
export function firstPosition(): number {
  return Date.now() * 1000;
}
