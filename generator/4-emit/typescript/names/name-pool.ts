/** Names of one scope that are given away, each once. */
export class NamePool {
  readonly #outer: NamePool | null;
  readonly #reserved: ReadonlySet<string>;
  readonly #taken = new Set<string>();
  /** Last number tried for a name, so that many equal names stay linear. */
  readonly #numbers = new Map<string, number>();

  /** A scope, perhaps inside another one whose names it avoids too. */
  constructor(reserved: ReadonlySet<string>, outer: NamePool | null = null) {
    this.#reserved = reserved;
    this.#outer = outer;
  }

  /** Whether a name has been given away in this scope. */
  gave(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Whether a name is given away here or further out, or reserved. */
  has(name: string): boolean {
    return (
      this.#taken.has(name) ||
      this.#reserved.has(name) ||
      this.#outer?.has(name) === true
    );
  }

  /**
   * Takes the first of the candidates that is free, else the last one with
   * the first number from 2 on that makes it free.
   */
  claim(...candidates: readonly [string, ...string[]]): string {
    const name = candidates.find((candidate) => !this.has(candidate));
    const claimed = name ?? this.#numbered(candidates.at(-1) ?? "");
    this.#taken.add(claimed);
    return claimed;
  }

  #numbered(name: string): string {
    let number = this.#numbers.get(name) ?? 1;
    do number += 1;
    while (this.has(`${name}${number}`));
    this.#numbers.set(name, number);
    return `${name}${number}`;
  }
}
