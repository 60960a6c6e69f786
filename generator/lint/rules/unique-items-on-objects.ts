import { findMetadata } from "../../2-check/notation/metadata.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { locate } from "../../2-check/report/report.js";
import type { Program, Declared } from "../../2-check/program/program.js";
import type { TypeExpression } from "../../1-parse/ast.js";
import type { LintRule } from "./rule.js";

/** Equal objects are equal in every field: hardly what is meant. */
export const uniqueItemsOnObjects: LintRule = {
  code: "unique-items-on-objects",
  category: "standard",
  find: (program) => {
    const { aliases, fields } = program.nodes;
    return [...aliases, ...fields].flatMap(({ syntax, document }) => {
      const line = findMetadata(syntax, "uniqueItems");
      if (line === undefined || line.value.text !== "true") return [];
      if (!hasObjects({ syntax: syntax.type, document }, program)) return [];
      return {
        location: locate(document, line),
        message: `entries of \`${syntax.name.text}\` are compared as whole objects`,
        notes: ["other validators need time that grows with its square"],
        help: "use a map from the key to the rest, or check the key in the handler",
      };
    });
  },
};

function hasObjects(
  { syntax, document }: Declared<TypeExpression>,
  program: Program,
): boolean {
  const list = resolveType(program, document, syntax);
  if (list?.kind !== "list") return false;
  const element = resolveType(program, list.document, list.element);
  if (element?.kind === "scalar") return element.name === "any";
  return element !== null && element.kind !== "enum";
}
