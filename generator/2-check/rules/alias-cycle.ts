import type { Word } from "../../1-parse/ast.js";
import { type Edge, walkGraph } from "../program/graph.js";
import { namesIn } from "../program/nodes.js";
import type { DeclaredType, Program } from "../program/program.js";
import { reportCycle } from "../report/report-cycle.js";
import type { Rule } from "./rule.js";

/** An alias that leads back to itself would name no type at all. */
export const aliasCycle: Rule = (program) => {
  const aliases = [...program.scopes.values()].flatMap(({ types }) =>
    types.filter(({ syntax }) => syntax.kind === "alias"),
  );
  return walkGraph(new Set(aliases), (alias) =>
    edgesOf(alias, program),
  ).cycles.map((edges) =>
    reportCycle("alias-cycle", edges, {
      what: "alias",
      help: "make one of them a struct",
    }),
  );
};

function edgesOf(
  alias: DeclaredType,
  { scopes }: Program,
): readonly Edge<DeclaredType, Word>[] {
  const { syntax, document } = alias;
  if (syntax.kind !== "alias") return [];
  const scope = scopes.get(document.path);
  return namesIn(syntax.type).flatMap((via) => {
    const to = scope?.typesByName.get(via.text);
    return to?.syntax.kind === "alias" ? { from: alias, to, via } : [];
  });
}
