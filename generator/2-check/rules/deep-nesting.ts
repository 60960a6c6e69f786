import { maxTypeDepth } from "../../1-parse/type-expression.js";
import { walkGraph } from "../program/graph.js";
import type { DeclaredType, Program } from "../program/program.js";
import type { Rule } from "./rule.js";

/** Aliases do not lead around the limit that every single type has. */
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
    // A type that stands on one that is too deep has no fault of its own.
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

/** What stands within all lists and maps of an alias, and how many there are. */
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
