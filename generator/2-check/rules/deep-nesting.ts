import type { TypeExpression } from "../../1-parse/ast.js";
import { maxTypeDepth } from "../../1-parse/type-expression.js";
import type { DeclaredType, Program } from "../program/program.js";
import { errorAt } from "../report/finding.js";
import { locate } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A type that an alias mentions, and how many lists and maps are around it. */
interface Mention {
  readonly type: DeclaredType | undefined;
  readonly level: number;
}

/** Aliases do not lead around the limit that every single type has. */
export const deepNesting: Rule = (program) => {
  const depths = new Map<DeclaredType, number>();
  return program.types
    .filter(({ syntax }) => syntax.kind === "alias")
    .flatMap((root) => measure(root, depths, program))
    .map(({ syntax, document }) =>
      errorAt(
        locate(document, syntax.name),
        `type \`${syntax.name.text}\` is nested too deeply`,
        {
          notes: [`lists and maps may stand ${maxTypeDepth} levels deep`],
          help: "make one of the types on the way a struct",
        },
      ),
    );
};

/**
 * Notes the depth of an alias and of all that it stands on; no recursion, the
 * chain may be long. Output: those where the limit is crossed.
 */
function measure(
  root: DeclaredType,
  depths: Map<DeclaredType, number>,
  program: Program,
): readonly DeclaredType[] {
  const crossing: DeclaredType[] = [];
  const begun = new Set<DeclaredType>();
  const stack = [root];
  for (let alias = stack.at(-1); alias; alias = stack.at(-1)) {
    const mentions = depths.has(alias) ? [] : mentionsIn(alias, program);
    const isFirst = !begun.has(alias) && !depths.has(alias);
    begun.add(alias);
    if (isFirst) {
      for (const { type } of mentions) {
        if (type && !depths.has(type) && !begun.has(type)) stack.push(type);
      }
      continue;
    }
    stack.pop();
    if (depths.has(alias)) continue;
    const below = mentions.map(({ type }) => (type && depths.get(type)) ?? 0);
    const totals = mentions.map(({ level }, at) => level + (below[at] ?? 0));
    const depth = Math.max(0, ...totals);
    depths.set(alias, depth);
    const isCrossed =
      depth > maxTypeDepth && Math.max(...below) <= maxTypeDepth;
    if (isCrossed) crossing.push(alias);
  }
  return crossing;
}

function mentionsIn(
  { syntax, document }: DeclaredType,
  { scopes }: Program,
): readonly Mention[] {
  if (syntax.kind !== "alias") return [];
  const scope = scopes.get(document.path);
  const mentions: Mention[] = [];
  const waiting: (readonly [TypeExpression, number])[] = [[syntax.type, 0]];
  for (const [type, level] of waiting) {
    if (type.kind === "list") waiting.push([type.element, level + 1]);
    else if (type.kind === "map") waiting.push([type.value, level + 1]);
    else {
      mentions.push({ type: scope?.typesByName.get(type.name.text), level });
    }
  }
  return mentions;
}
