/**
 * Knows the structs whose fields are being mapped. A union that one of them contains
 * waits for it, because its tag is among the fields of its variants.
 */
export class Unfinished {
  readonly #open = new Set<string>();
  /** What gives variants their tags, and what needs these. */
  readonly #tagging = new Map<string, () => void>();
  readonly #waiting = new Map<string, () => void>();
  #isFinishing = false;

  /** Whether the fields of a struct, or the variants of a union, are not known yet. */
  has(name: string): boolean {
    return [this.#open, this.#tagging, this.#waiting].some((all) =>
      all.has(name),
    );
  }

  /** Whether a type is being mapped. */
  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** Maps a type, and then what waits if no other is being mapped. */
  during(name: string, mapType: () => void): void {
    this.#open.add(name);
    mapType();
    this.#open.delete(name);
    if (this.#open.size > 0 || this.#isFinishing) return;
    this.#isFinishing = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [name, finish] = next;
      this.#tagging.delete(name);
      this.#waiting.delete(name);
      finish();
    }
    this.#isFinishing = false;
  }

  #next(): readonly [string, () => void] | undefined {
    const [first] = this.#tagging;
    const [other] = this.#waiting;
    return first ?? other;
  }

  /** Gives variants their tags as soon as the fields of all structs are known. */
  tagLater(name: string, finish: () => void): void {
    this.#tagging.set(name, finish);
  }

  /** Maps a type as soon as the tags of all variants are known, too. */
  wait(name: string, finish: () => void): void {
    this.#waiting.set(name, finish);
  }
}
