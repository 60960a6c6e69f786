import { pascalCase } from "./casing.js";

/** Names that are in use in another scope. */
export interface TakenNames {
  /** Whether a name is in use or reserved. */
  has(name: string): boolean;
  /** Whether a name is in use. */
  gave(name: string): boolean;
}

/** Turns a requested name into a name that is valid in its scope. */
type NameForm = (name: string) => string;

/**
 * Removes characters that are not valid in an identifier, and prepends `_` if
 * the result cannot start one.
 */
function identifierOf(name: string): string {
  if (/^[$_A-Za-z][$\w]*$/u.test(name)) return name;
  const kept = name.replace(/[^$\p{ID_Continue}]/gu, "");
  return /^[$_\p{ID_Start}]/u.test(kept) ? kept : `_${kept}`;
}

/** Assigns unique names within a scope. */
export class NamePool implements TakenNames {
  readonly #outer: TakenNames | null;
  readonly #form: NameForm;
  readonly #reserved: ReadonlySet<string>;
  /** The owner of each name, or null if all owners share it. */
  readonly #taken = new Map<string, string | null>();
  /** The last suffix tried for each name. Storing it keeps the time linear. */
  readonly #numbers = new Map<string, number>();
  #hasClashes = false;

  /**
   * Input: reserved names, an outer scope whose names are also avoided, and the
   * form of the names, which defaults to identifiers.
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

  /** Whether a requested name was already in use. */
  get hasClashes(): boolean {
    return this.#hasClashes;
  }

  /** Whether a name is in use in this scope. */
  gave(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Whether a name is reserved, or in use here or in an outer scope. */
  has(name: string): boolean {
    return (
      this.#taken.has(name) ||
      this.#reserved.has(name) ||
      this.#outer?.has(name) === true
    );
  }

  /**
   * Claims the first candidate that is free, or else the last one followed by
   * the lowest free number, starting at 2. Invalid characters are removed
   * first.
   */
  claim(...candidates: readonly [string, ...string[]]): string {
    return this.claimFor(null, ...candidates);
  }

  /** Works like {@link claim}, but for one owner. See {@link visibleTo}. */
  claimFor(
    owner: string | null,
    ...wished: readonly [string, ...string[]]
  ): string {
    // Fast path: nearly all names are free.
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

  /**
   * Works like {@link claim}, but claims several forms of the name, with `{}`
   * or `{Pascal}` in place of it, e.g. `New{}Client`. All of them must be free.
   */
  claimForms(
    forms: readonly string[],
    ...candidates: readonly [string, ...string[]]
  ): string {
    if (forms.length === 1 && forms[0] === "{}") {
      return this.claim(...candidates);
    }
    const all = (name: string): readonly string[] =>
      forms.map((form) =>
        form.replace("{}", name).replace("{Pascal}", pascalCase(name)),
      );
    const isFree = (name: string): boolean =>
      all(name).every((form) => !this.has(form));
    const last = candidates.at(-1) ?? "";
    let name = candidates.find(isFree);
    for (let number = 2; name === undefined; number += 1) {
      if (isFree(`${last}${number}`)) name = `${last}${number}`;
    }
    for (const form of all(name)) this.claim(form);
    return name;
  }

  /** Returns the names that an owner can see: its own and shared ones. */
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
