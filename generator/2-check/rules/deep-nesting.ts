import { maxTypeDepth } from "../../1-parse/type-expression.js";
import { walkGraph } from "../program/graph.js";
import type { DeclaredType, Program } from "../program/program.js";
import type { Rule } from "./rule.js";

/** The nesting limit also counts nesting through aliases. */
export const deepNesting: Rule = (program) => {
  const aliases = program.types.filter(({ syntax }) => syntax.kind === "alias");
  const { finished } = walkGraph(aliases, (from) => {
    const { inner: to, level: via } = unwrap(from, program);
    return to ? [{ from, to, via }] : [];
  });
  const depths = new Map<DeclaredType, number>();
  return [...finished].flatMap((type) => {
    const { inner, level } = unwrap(type, program);
    const below = (inner && depths.get(inner)) ?? 0;
    depths.set(type, level + below);
    // If an inner type is already too deep, only that type is reported.
    if (level + below <= maxTypeDepth || below > maxTypeDepth) return [];
    const { name } = type.syntax;
    return {
      document: type.document,
      at: name,
      message: `type \`${name.text}\` is nested too deeply`,
      notes: [`lists and maps can be nested up to ${maxTypeDepth} levels deep`],
      help: "turn one of the types in between into a struct",
    };
  });
};

/**
 * Returns the type inside all lists and maps of an alias, and how many lists
 * and maps surround it.
 */
function unwrap(
  { syntax, document }: DeclaredType,
  { scopes }: Program,
): { readonly inner: DeclaredType | undefined; readonly level: number } {
  if (syntax.kind !== "alias") return { inner: undefined, level: 0 };
  let { type } = syntax;
  let level = 0;
  for (; type.kind !== "name"; level += 1) {
    type = type.kind === "list" ? type.element : type.value;
  }
  const scope = scopes.get(document.path);
  return { inner: scope?.typesByName.get(type.name.text), level };
}
