/**
 * Knows the structs whose fields are being mapped. A union that one of them contains
 * waits for it, because its tag is among the fields of its variants.
 */
export class Unfinished {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #isFinishing = false;

  /** Whether the fields of a struct, or the variants of a union, are not known yet. */
  has(name: string): boolean {
    return this.#open.has(name) || this.#waiting.has(name);
  }

  /** Maps the fields of a struct, and then what waits if no other is being mapped. */
  during(name: string, mapStruct: () => void): void {
    this.#open.add(name);
    mapStruct();
    this.#open.delete(name);
    if (this.#open.size > 0 || this.#isFinishing) return;
    this.#isFinishing = true;
    // A loop over a map also visits entries that are added to it.
    for (const [name, finish] of this.#waiting) {
      this.#waiting.delete(name);
      finish();
    }
    this.#isFinishing = false;
  }

  /** Maps a type as soon as the fields of all structs are known. */
  wait(name: string, finish: () => void): void {
    this.#waiting.set(name, finish);
  }
}
