import { parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";

/** A step from one state to another. Without a set, it consumes nothing. */
interface Edge {
  readonly to: number;
  /** The characters that the step consumes, e.g. `[a-z]`. */
  readonly set?: string;
  /** What the step requires of its position: `^`, `$`, `\b` or `\B`. */
  readonly boundary?: string;
}

/** An automaton that accepts the texts in which an expression has a match. */
export interface StateMachine {
  /** The steps from each state. */
  readonly edges: readonly (readonly Edge[])[];
  readonly first: number;
  readonly last: number;
}

/** Larger expressions are not compared. */
const maxEdges = 50_000;

const anything: Pattern = {
  kind: "repetition",
  item: { kind: "character", text: "[^]" },
  min: 0,
  max: Infinity,
};

/**
 * Builds the automaton of an expression that is valid with the `u` flag.
 * Returns null if the expression is too large, or has lookarounds, references
 * or flags.
 */
export function buildStateMachine(source: string): StateMachine | null {
  const pattern = hasReferencesOrFlags(source) ? null : parsePattern(source);
  if (pattern === null) return null;
  const draft: Draft = { edges: [[], []], edgeCount: 0, isExact: true };
  // A match can start and end anywhere unless it is anchored.
  const items = [anything, pattern, anything];
  connect(draft, { kind: "sequence", items }, 0, 1);
  return draft.isExact ? { edges: draft.edges, first: 0, last: 1 } : null;
}

function hasReferencesOrFlags(source: string): boolean {
  const escapes = source.match(/\\[^]/gu) ?? [];
  return (
    escapes.some((escape) => /[1-9k]/u.test(escape)) ||
    /\(\?[a-z-]+:/u.test(source)
  );
}

interface Draft {
  readonly edges: Edge[][];
  edgeCount: number;
  isExact: boolean;
}

function addState({ edges }: Draft): number {
  return edges.push([]) - 1;
}

function addEdge(draft: Draft, from: number, edge: Edge): void {
  draft.edgeCount += 1;
  if (draft.edgeCount > maxEdges) draft.isExact = false;
  draft.edges[from]?.push(edge);
}

/** Adds the ways on which a pattern leads from one state to another. */
function connect(
  draft: Draft,
  pattern: Pattern,
  from: number,
  to: number,
): void {
  if (!draft.isExact) return;
  switch (pattern.kind) {
    case "character":
      addEdge(draft, from, { to, set: pattern.text });
      return;
    case "boundary":
      addEdge(draft, from, { to, boundary: pattern.text });
      return;
    case "sequence":
      addEdge(draft, connectAll(draft, pattern.items, from), { to });
      return;
    case "choice":
      for (const item of pattern.items) connect(draft, item, from, to);
      return;
    case "repetition":
      connectRepetition(draft, pattern, from, to);
      return;
    case "look":
      draft.isExact = false;
  }
}

/** Connects patterns in sequence, and returns the state after the last one. */
function connectAll(
  draft: Draft,
  items: readonly Pattern[],
  from: number,
): number {
  let last = from;
  for (const item of items) {
    const next = addState(draft);
    connect(draft, item, last, next);
    last = next;
  }
  return last;
}

function connectRepetition(
  draft: Draft,
  { item, min, max }: Extract<Pattern, { kind: "repetition" }>,
  from: number,
  to: number,
): void {
  let last = from;
  for (let count = 0; count < min && draft.isExact; count += 1) {
    last = connectAll(draft, [item], last);
  }
  if (max === Infinity) {
    // A state of its own, so that no other way enters the loop.
    const loop = addState(draft);
    addEdge(draft, last, { to: loop });
    connect(draft, item, loop, loop);
    last = loop;
  } else {
    for (let count = min; count < max && draft.isExact; count += 1) {
      addEdge(draft, last, { to });
      last = connectAll(draft, [item], last);
    }
  }
  addEdge(draft, last, { to });
}
