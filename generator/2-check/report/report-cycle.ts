import type { Word } from "../../1-parse/ast.js";
import type { Edge } from "../program/graph.js";
import type { DeclaredType } from "../program/program.js";
import { errorAt, type Finding } from "./finding.js";
import { locate, relate } from "./report.js";

/** How a cycle of types is spoken of. */
export interface CycleWords {
  /** E.g. `alias`. */
  readonly what: string;
  /** The way out. */
  readonly help: string;
}

/** One diagnostic for a cycle of types, at its first step. */
export function reportCycle(
  edges: readonly Edge<DeclaredType, Word>[],
  { what, help }: CycleWords,
): readonly Finding[] {
  const names = edges.map(({ from }) => `\`${from.syntax.name.text}\``);
  const [name = ""] = names;
  const [first, ...rest] = edges;
  if (first === undefined) return [];
  const message = `${what} ${name} contains itself: ${[...names, name].join(" → ")}`;
  const related = rest.map(({ from, via }) =>
    relate(from.document, via, "the cycle goes on here"),
  );
  return [
    errorAt(locate(first.from.document, first.via), message, { related, help }),
  ];
}
