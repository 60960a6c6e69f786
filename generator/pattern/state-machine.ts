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
  const builder: MachineBuilder = {
    edges: [[], []],
    edgeCount: 0,
    isExact: true,
  };
  // A match can start and end anywhere unless it is anchored.
  const items = [anything, pattern, anything];
  connect(builder, { kind: "sequence", items }, 0, 1);
  return builder.isExact ? { edges: builder.edges, first: 0, last: 1 } : null;
}

function hasReferencesOrFlags(source: string): boolean {
  const escapes = source.match(/\\[^]/gu) ?? [];
  return (
    escapes.some((escape) => /[1-9k]/u.test(escape)) ||
    /\(\?[a-z-]+:/u.test(source)
  );
}

interface MachineBuilder {
  readonly edges: Edge[][];
  edgeCount: number;
  isExact: boolean;
}

function addState({ edges }: MachineBuilder): number {
  return edges.push([]) - 1;
}

function addEdge(builder: MachineBuilder, from: number, edge: Edge): void {
  builder.edgeCount += 1;
  if (builder.edgeCount > maxEdges) builder.isExact = false;
  builder.edges[from]?.push(edge);
}

/** Adds the ways on which a pattern leads from one state to another. */
function connect(
  builder: MachineBuilder,
  pattern: Pattern,
  from: number,
  to: number,
): void {
  if (!builder.isExact) return;
  switch (pattern.kind) {
    case "character":
      addEdge(builder, from, { to, set: pattern.text });
      return;
    case "boundary":
      addEdge(builder, from, { to, boundary: pattern.text });
      return;
    case "sequence":
      addEdge(builder, connectAll(builder, pattern.items, from), { to });
      return;
    case "choice":
      for (const item of pattern.items) connect(builder, item, from, to);
      return;
    case "repetition":
      connectRepetition(builder, pattern, from, to);
      return;
    case "look":
      builder.isExact = false;
  }
}

/** Connects patterns in sequence, and returns the state after the last one. */
function connectAll(
  builder: MachineBuilder,
  items: readonly Pattern[],
  from: number,
): number {
  let last = from;
  for (const item of items) {
    const next = addState(builder);
    connect(builder, item, last, next);
    last = next;
  }
  return last;
}

function connectRepetition(
  builder: MachineBuilder,
  { item, min, max }: Extract<Pattern, { kind: "repetition" }>,
  from: number,
  to: number,
): void {
  let last = from;
  for (let count = 0; count < min && builder.isExact; count += 1) {
    last = connectAll(builder, [item], last);
  }
  if (max === Infinity) {
    // A state of its own, so that no other way enters the loop.
    const loop = addState(builder);
    addEdge(builder, last, { to: loop });
    connect(builder, item, loop, loop);
    last = loop;
  } else {
    for (let count = min; count < max && builder.isExact; count += 1) {
      addEdge(builder, last, { to });
      last = connectAll(builder, [item], last);
    }
  }
  addEdge(builder, last, { to });
}
