/** Draws values from a seed. The same seed produces the same values. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Draws a number from 0 (inclusive) to 1 (exclusive), with mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Draws an integer from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Draws one of several items, or undefined if there are none. */
  maybeOneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** Draws one of several items. There must be at least one. */
  oneOf<const Items extends readonly [unknown, ...unknown[]]>(
    items: Items,
  ): Items[number] {
    return items[this.below(items.length)];
  }

  /** Returns the items in random order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, rank: this.next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  }
}
