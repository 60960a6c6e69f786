import { extraMembers } from "../values/extra.js";
import { keyOfValue } from "../values/unique.js";

/** Options for mock data. */
export interface MockOptions {
  /** Different seeds produce different data. Default: `""`. */
  readonly seed?: string | number;
}

/** Generates a value, e.g. `drawOrder` from a generated `mock.ts`. */
export type Make<T> = (draw: Draw) => T;

const words = "amber birch coral delta ember flint grove hazel".split(" ");

/** Generates values for a contract. Equal keys always produce equal values. */
export class Draw {
  #state = 0x811c_9dc5;
  readonly #shown = new Set<string>();
  #depth = 0;
  #left = 500;

  constructor(...keys: readonly unknown[]) {
    for (const unit of keyOfValue(keys)) {
      this.#state = Math.imul(this.#state ^ unit.charCodeAt(0), 0x0100_0193);
    }
  }

  /** Returns an integer from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** Returns a `bigint` from `min` to `max`. */
  bigint(min: number | bigint, max: number | bigint): bigint {
    const width = Number(BigInt(max) - BigInt(min));
    return BigInt(min) + BigInt(this.integer(0, width));
  }

  /**
   * Returns a number with at most two decimals, unless the limits have more.
   */
  number(min: number, max: number): number {
    const value = min + this.#next() * (max - min);
    // Adding 0 turns -0, which JSON cannot represent, into 0.
    const rounded = Math.round(value * 100) / 100 + 0;
    return Math.min(Math.max(rounded, min), max);
  }

  bool(): boolean {
    return this.#next() < 0.5;
  }

  /** Returns one of the given values. */
  pick<const T extends string | number | bigint | boolean>(
    values: readonly T[],
  ): T {
    const value = values[this.integer(0, values.length - 1)];
    if (value === undefined) throw new RangeError("there is no value to pick");
    return value;
  }

  /**
   * Returns a value of one of the variants of a union. Deep inside a message, it
   * is the first one.
   */
  oneOf<T>(first: Make<T>, ...others: readonly Make<T>[]): T {
    const makes = [first, ...others];
    const at = this.#isDeep ? 0 : this.integer(0, others.length);
    return this.#inside(makes[at] ?? first);
  }

  /**
   * Returns the example first and other values later, so that list items
   * differ.
   */
  prefer<T>(example: T, make: Make<T>): T {
    const isShown = this.#shown.has(String(example));
    this.#shown.add(String(example));
    return isShown ? make(this) : example;
  }

  /** Returns words with a total of `min` to `max` characters. */
  text(min: number, max: number): string {
    const length = this.integer(min, Math.floor((min + max) / 2));
    let text = this.pick(words);
    while (text.length < length) text += ` ${this.pick(words)}`;
    return text.slice(0, max).replace(/ $/, "s");
  }

  /** Returns a time in 2024 or 2025, in whole seconds. */
  date(): Date {
    return new Date(this.integer(1_704_067_200, 1_767_225_599) * 1000);
  }

  timestamp(): string {
    return this.date().toISOString();
  }

  bytes(min: number, max: number): Uint8Array {
    const length = this.integer(min, max);
    return Uint8Array.from({ length }, () => this.integer(0, 255));
  }

  file(): File {
    return new File([this.text(1, 40)], "mock.txt", { type: "text/plain" });
  }

  /** Returns an object with a field that may be absent. */
  optional<K extends string, T>(key: K, make: Make<T>): { [P in K]?: T } {
    const isAbsent = this.#isDeep || this.#next() < 0.25;
    const entries = isAbsent ? [] : [[key, this.#inside(make)]];
    return Object(Object.fromEntries(entries));
  }

  /** Returns a value that may be null. */
  nullable<T>(make: Make<T>): T | null {
    return this.#isDeep || this.#next() < 0.25 ? null : this.#inside(make);
  }

  /** Returns a list. Deeply nested lists are as short as possible. */
  list<T>(min: number, max: number, make: Make<T>): T[] {
    const length = this.#count(min, max);
    return Array.from({ length }, () => this.#inside(make));
  }

  /** Returns a list without duplicates. */
  unique<T>(min: number, max: number, make: Make<T>): T[] {
    const items = new Map<string, T>();
    const length = this.#count(min, max);
    // There may be fewer distinct values than the list needs.
    for (let i = 0; items.size < length && i < 50 * length; i += 1) {
      const item = this.#inside(make);
      items.set(keyOfValue(item), item);
    }
    return [...items.values()];
  }

  /** Returns strings without duplicates. */
  keys(min: number, max: number): string[] {
    return this.unique(min, max, () => this.text(1, 12));
  }

  /** Returns a map with the given keys. */
  map<K extends string, T>(keys: readonly K[], make: Make<T>): Record<K, T> {
    const entries = keys.map((key) => [key, this.#inside(make)]);
    return Object(Object.fromEntries(entries));
  }

  /**
   * Returns a map without the names of fields, which cannot be extra members.
   */
  extra<T extends object>(fields: readonly string[], make: Make<T>): T {
    return Object(extraMembers(this.#inside(make), new Set(fields)));
  }

  get #isDeep(): boolean {
    return this.#depth > 5 || this.#left <= 0;
  }

  #count(min: number, max: number): number {
    if (this.#depth > 50) return 0;
    return this.#isDeep
      ? min
      : this.integer(Math.max(min, Math.min(1, max)), max);
  }

  #inside<T>(make: Make<T>): T {
    this.#depth += 1;
    this.#left -= 1;
    const value = make(this);
    this.#depth -= 1;
    return value;
  }

  /** Returns a number from 0 to less than 1 (Mulberry32). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
}
