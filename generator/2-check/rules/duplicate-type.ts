import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findDuplicates } from "../report/duplicates.js";
import type { DeclaredType, Program } from "../program/program.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/**
 * Structs, enums and aliases share their names, whatever the case: in each
 * document with what it imports, and in the contract as a whole.
 */
export const duplicateType: Rule = (program) => {
  const blamed = new Set<DeclaredType>();
  return [...program.scopes.values(), program].flatMap(({ types }) =>
    findDuplicates(types, ({ syntax }) => foldName(syntax.name.text)).flatMap(
      ({ first, again }) => {
        if (blamed.has(first) || blamed.has(again)) return [];
        blamed.add(again);
        return describe(first, again, program);
      },
    ),
  );
};

function describe(
  first: DeclaredType,
  again: DeclaredType,
  { scopes }: Program,
): Diagnostic {
  const { name } = again.syntax;
  const other = first.syntax.name.text;
  // Only hosts meet in one contract without importing one another.
  const isAcrossHosts = ![...scopes.values()].some(
    ({ types }) => types.includes(first) && types.includes(again),
  );
  return reportError(
    "duplicate-type",
    locate(again.document, name),
    other === name.text
      ? `type \`${name.text}\` is declared twice`
      : `types \`${other}\` and \`${name.text}\` differ only in case`,
    {
      related: [
        relate(first.document, first.syntax.name, "first declared here"),
      ],
      help: isAcrossHosts
        ? "rename one of them, or declare it once in a document that both import"
        : "rename one of them",
    },
  );
}
