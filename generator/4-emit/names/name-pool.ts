/** Names that somebody else has given away. */
export interface TakenNames {
  /** Whether a name is given away, or reserved. */
  has(name: string): boolean;
  /** Whether a name has been given away. */
  gave(name: string): boolean;
}

/** Turns a wanted name into one that its scope allows. */
type NameForm = (name: string) => string;

/** A name with only the characters that identifiers may have. */
function identifierOf(name: string): string {
  if (/^[$_A-Za-z][$\w]*$/u.test(name)) return name;
  const kept = name.replace(/[^$\p{ID_Continue}]/gu, "");
  return /^[$_\p{ID_Start}]/u.test(kept) ? kept : `_${kept}`;
}

/** Gives each name of a scope away once. */
export class NamePool implements TakenNames {
  readonly #outer: TakenNames | null;
  readonly #form: NameForm;
  readonly #reserved: ReadonlySet<string>;
  /** To whom each name was given; null: to all. */
  readonly #taken = new Map<string, string | null>();
  /** Last number tried for a name, so that many equal names stay linear. */
  readonly #numbers = new Map<string, number>();
  #hasClashes = false;

  /**
   * Input: names that are never given away; an outer scope, whose names are
   * avoided too; the form of the names, by default that of identifiers.
   */
  constructor(
    reserved: ReadonlySet<string>,
    outer: TakenNames | null = null,
    form: NameForm = identifierOf,
  ) {
    this.#reserved = reserved;
    this.#outer = outer;
    this.#form = form;
  }

  /** Whether two have wanted the same name. */
  get hasClashes(): boolean {
    return this.#hasClashes;
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
   * the first number from 2 on that makes it free. Characters that the scope
   * does not allow are dropped first.
   */
  claim(...candidates: readonly [string, ...string[]]): string {
    return this.claimFor(null, ...candidates);
  }

  /** {@link claim} for one owner, whose name it is; see {@link visibleTo}. */
  claimFor(
    owner: string | null,
    ...wished: readonly [string, ...string[]]
  ): string {
    // Nearly all names are free.
    const first = this.#form(wished[0]);
    if (!this.has(first)) {
      this.#taken.set(first, owner);
      return first;
    }
    const candidates = wished.map(this.#form);
    const name = candidates.find((candidate) => !this.has(candidate));
    const wanted = name ?? candidates.at(-1) ?? "";
    this.#hasClashes ||= candidates.some(
      (candidate) => candidate !== name && this.#taken.has(candidate),
    );
    const claimed = name ?? this.#numbered(wanted);
    this.#taken.set(claimed, owner);
    return claimed;
  }

  /** The names that an owner can meet: its own and those of all. */
  visibleTo(owner: string): TakenNames {
    const gave = (name: string): boolean => {
      const holder = this.#taken.get(name);
      return holder === null || holder === owner;
    };
    return { gave, has: (name) => gave(name) || this.#reserved.has(name) };
  }

  #numbered(name: string): string {
    let number = this.#numbers.get(name) ?? 1;
    do number += 1;
    while (this.has(`${name}${number}`));
    this.#numbers.set(name, number);
    return `${name}${number}`;
  }
}
