import type { Letter } from "./letters.js";
import type { StateMachine } from "./state-machine.js";

/** What stands beside a position. */
type Side = "edge" | "word" | "other";

/** The states that are possible after a text. */
interface Position {
  readonly states: readonly number[];
  /** What stands before the position. */
  readonly before: Side;
  /** The positions after each character. */
  readonly next: Map<number, number>;
}

/** All characters, and the steps that may still be taken. */
export interface Search {
  readonly letters: readonly Letter[];
  /** The index of each set in {@link Letter}. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Once this is negative, the results are meaningless. */
  steps: number;
}

/**
 * A state machine made deterministic. Each position is a number, and is
 * computed when a text first reaches it.
 */
export class Matcher {
  /** The position before the first character. */
  readonly first: number;
  readonly #machine: StateMachine;
  readonly #search: Search;
  readonly #positions: Position[] = [];
  readonly #known = new Map<string, number>();
  readonly #hasWords: boolean;

  constructor(machine: StateMachine, search: Search) {
    this.#machine = machine;
    this.#search = search;
    this.#hasWords = machine.edges
      .flat()
      .some(({ boundary }) => boundary === "\\b" || boundary === "\\B");
    this.first = this.#add([machine.first], "edge");
  }

  /** Returns the position after a character, which is given by its index. */
  next(from: number, index: number): number {
    const position = this.#positions[from];
    if (position === undefined) return from;
    const target = position.next.get(index) ?? this.#follow(position, index);
    position.next.set(index, target);
    return target;
  }

  /** Whether the text before a position is accepted. */
  accepts(at: number): boolean {
    const position = this.#positions[at];
    return (
      position !== undefined &&
      this.#close(position, "edge").has(this.#machine.last)
    );
  }

  /** Whether no text that goes on from a position is accepted. */
  isDead(at: number): boolean {
    return this.#positions[at]?.states.length === 0;
  }

  #add(states: readonly number[], before: Side): number {
    const key = `${before} ${states.join(" ")}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.#positions.push({ states, before, next: new Map() }) - 1;
    this.#known.set(key, index);
    return index;
  }

  #follow(position: Position, index: number): number {
    const letter = this.#search.letters[index];
    const targets = new Set<number>();
    // Without `\b` and `\B`, all characters count as the same.
    const isWord = this.#hasWords && this.#isIn(letter, "\\w");
    const side = isWord ? "word" : "other";
    for (const state of this.#close(position, side)) {
      for (const { to, set } of this.#machine.edges[state] ?? []) {
        if (set !== undefined && this.#isIn(letter, set)) targets.add(to);
      }
    }
    return this.#add(
      [...targets].sort((a, b) => a - b),
      side,
    );
  }

  #isIn(letter: Letter | undefined, set: string): boolean {
    return letter?.isIn[this.#search.indexOf.get(set) ?? -1] === true;
  }

  /** Adds the states that are reached without consuming a character. */
  #close({ states, before }: Position, after: Side): ReadonlySet<number> {
    const reached = new Set(states);
    // The loop also visits the states that it adds.
    for (const state of reached) {
      for (const { to, set, boundary } of this.#machine.edges[state] ?? []) {
        this.#search.steps -= 1;
        const isOpen = set === undefined && holds(boundary, before, after);
        if (isOpen) reached.add(to);
      }
    }
    return reached;
  }
}

function holds(
  boundary: string | undefined,
  before: Side,
  after: Side,
): boolean {
  switch (boundary) {
    case undefined:
      return true;
    case "^":
      return before === "edge";
    case "$":
      return after === "edge";
    default:
      return (
        ((before === "word") !== (after === "word")) === (boundary === "\\b")
      );
  }
}
