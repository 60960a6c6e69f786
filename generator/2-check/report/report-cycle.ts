import type { Word } from "../../1-parse/ast.js";
import type { CheckCode } from "../../diagnostics/catalogue.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Edge } from "../program/graph.js";
import type { DeclaredType } from "../program/program.js";
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
  code: CheckCode,
  edges: readonly Edge<DeclaredType, Word>[],
  { what, help }: CycleWords,
): Diagnostic {
  const names = edges.map(({ from }) => `\`${from.syntax.name.text}\``);
  const [name = ""] = names;
  const [first, ...rest] = edges;
  return {
    code,
    severity: "error",
    message: `${what} ${name} contains itself: ${[...names, name].join(" → ")}`,
    ...(first && { location: locate(first.from.document, first.via) }),
    related: rest.map(({ from, via }) =>
      relate(from.document, via, "the cycle goes on here"),
    ),
    help,
  };
}
