import { quietly } from "../../values/quietly.js";
import type { ItemStore, StoredItem } from "./item-store.js";

/** An item in its TypeScript form. */
interface Entry<Item> {
  readonly position: number;
  /** Parses the item once. */
  readonly item: () => Item;
}

/** The part of a store that readers use. */
export type ReadStore = Pick<ItemStore, "read" | "watch">;

/** Number of items that are read from a store at once. */
export const pageSize = 100;

/** A position after every item. */
const end = Number.MAX_SAFE_INTEGER;

/**
 * The newest items of a topic, which all its readers share, so that each instance
 * of a server reads and parses an item once.
 */
export class Tail<Item> {
  /** Position of the newest known item, or null if there is none. */
  last: number | null = null;
  readonly #entries: Entry<Item>[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #topic: string;
  readonly #store: ReadStore;
  readonly #parse: (stored: StoredItem) => Item;
  readonly #size: number;
  readonly #started: Promise<void>;
  readonly #unwatch: () => void;
  #isStale = false;
  #isReading = false;
  #isClosed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    topic: string,
    store: ReadStore,
    parse: (stored: StoredItem) => Item,
    size: number,
  ) {
    this.#topic = topic;
    this.#store = store;
    this.#parse = parse;
    this.#size = size;
    this.#started = this.#start();
    this.#started.catch(() => undefined);
    // Items that are added before the first page is read are not missed.
    this.#unwatch = store.watch(topic, () => this.#refresh());
  }

  /** Resolves when the position of the newest item is known. */
  get started(): Promise<void> {
    return this.#started;
  }

  /**
   * Returns the item after a position, or null if the tail does not contain it,
   * because it is too old or does not exist yet.
   */
  after(position: number): Entry<Item> | null {
    const first = this.#entries[0]?.position ?? 0;
    return this.#entries[position + 1 - first] ?? null;
  }

  /** Whether there is no known item after a position. */
  isEnd(position: number): boolean {
    return this.last === null || position >= this.last;
  }

  /** Calls a function when there are new items. */
  wait(wake: () => void): void {
    this.#waiting.add(wake);
  }

  /** Takes back a call of `wait`. */
  leave(wake: () => void): void {
    this.#waiting.delete(wake);
  }

  /** Stops reading. */
  close(): void {
    this.#isClosed = true;
    this.#unwatch();
    clearTimeout(this.#retry);
  }

  async #start(): Promise<void> {
    this.last = (await this.#store.read(this.#topic, end, 1)).last;
  }

  #refresh(): void {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#retry);
    this.#read().catch(() => {
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#refresh(), 1000);
    });
  }

  async #read(): Promise<void> {
    try {
      await this.#started;
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        const after = this.last ?? 0;
        const page = await this.#store.read(this.#topic, after, pageSize);
        for (const stored of page.items) this.#add(stored);
        if (page.items.length === pageSize) this.#isStale = true;
        if (page.items.length > 0) this.#wake();
      }
    } finally {
      // In the same step as the last look at `#isStale`, so that no call is lost.
      this.#isReading = false;
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) quietly(go);
  }

  #add(stored: StoredItem): void {
    const { position } = stored;
    // If items were removed before they were read, readers find out themselves.
    if (this.last !== null && position !== this.last + 1) {
      this.#entries.length = 0;
    }
    this.last = position;
    const item = once(() => this.#parse(stored));
    this.#entries.push({ position, item });
    if (this.#entries.length > this.#size) this.#entries.shift();
  }
}

/** Returns a function that runs another one until it has returned a value. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
