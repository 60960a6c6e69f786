import { type Edge, walkGraph } from "../../2-check/program/graph.js";
import type { DeclaredType } from "../../2-check/program/program.js";
import { locate, relate } from "../../2-check/report/report.js";
import type { RequestPart } from "../facts/requests.js";
import { findRequestParts } from "../facts/requests.js";
import type { LintRule } from "./rule.js";

/** Whoever sends a request decides how deep such a struct is nested. */
export const unboundedRecursion: LintRule = {
  code: "unbounded-recursion",
  category: "security",
  find: (program) => {
    const edges = new Map<DeclaredType, Edge<DeclaredType, RequestPart>[]>();
    for (const part of findRequestParts(program)) {
      const { struct: from, end: to } = part;
      if (from === null || to === null) continue;
      const known = edges.get(from);
      if (known === undefined) edges.set(from, [{ from, to, via: part }]);
      else known.push({ from, to, via: part });
    }
    const { cycles } = walkGraph(edges.keys(), (node) => edges.get(node) ?? []);
    return cycles.flatMap((cycle) => {
      const names = cycle.map(({ from }) => `\`${from.syntax.name.text}\``);
      const [first, ...rest] = cycle;
      if (first === undefined) return [];
      return {
        location: locate(first.via.document, first.via.syntax.type),
        message: `a request may nest ${[...names, names[0]].join(" → ")} without end`,
        related: rest.map(({ via }) =>
          relate(via.document, via.syntax.type, "goes on here"),
        ),
        help: "send a flat list whose entries name their parents, or rely on the server's `maxDepth` and say so: `#! ridl-ignore unbounded-recursion …`",
      };
    });
  },
};
