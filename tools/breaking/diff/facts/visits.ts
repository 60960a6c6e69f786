import type { WirePlace } from "./paired-contracts.js";

/**
 * Whether declared types are compared only at the first place where a message
 * has them, or at every place. There are many places, so only the first 500 count.
 */
export type Reach = "first" | "every";

const maxPlaces = 500;

/** The pairs of declared types that a walk has visited. */
export class Visits {
  readonly #reach: Reach;
  readonly #keys = new Set<string>();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Whether a pair of types is to be compared here. Remembers the visit. */
  isFirst(
    { flow, path }: Pick<WirePlace, "flow" | "path">,
    names: readonly (string | null)[],
  ): boolean {
    const isEvery = this.#reach === "every";
    if (isEvery && this.#keys.size >= maxPlaces) return false;
    const key = JSON.stringify([flow, ...names, ...(isEvery ? [path] : [])]);
    const isFirst = !this.#keys.has(key);
    this.#keys.add(key);
    return isFirst;
  }
}
