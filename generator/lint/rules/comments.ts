import type { DocLines, Word } from "../../1-parse/ast.js";
import type { Declared, Nodes } from "../../2-check/program/program.js";
import { inNodes } from "../../2-check/report/finding.js";
import type { LintRule, LintRules } from "./rule.js";

/** What can have docs. */
interface Documented {
  readonly name: Word;
  readonly docs: DocLines;
}

/** A rule about nodes without docs. Input: what they are called. */
function undocumented(
  what: string,
  list: (nodes: Nodes) => readonly Declared<Documented>[],
): LintRule {
  return inNodes(
    list,
    ({ syntax: { docs, name } }) =>
      !docs.some(isText) && {
        at: name,
        message: `${what} \`${name.text}\` has no comment`,
        help: "say in a line above it what it is",
      },
  );
}

/** Lines about origins are no docs. */
function isText(line: string): boolean {
  return line.trim() !== "" && !line.trim().startsWith("origin:");
}

/** Rules about what has no comment. */
export const commentRules = {
  "comment-enum": undocumented("enum", ({ enums }) => enums),
  "comment-enum-value": undocumented("member", ({ enums }) =>
    enums.flatMap(({ syntax: { members }, document }) =>
      members.map((syntax) => ({ syntax, document })),
    ),
  ),
  "comment-error": undocumented("error", ({ errors }) => errors),
  "comment-field": undocumented("field", ({ fields }) => fields),
  "comment-method": undocumented("method", ({ methods }) => methods),
  "comment-service": undocumented("service", ({ services }) => services),
  "comment-type": undocumented("type", ({ aliases, structs }) => [
    ...structs,
    ...aliases,
  ]),
} satisfies LintRules;
