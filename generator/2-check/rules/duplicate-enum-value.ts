import type { EnumDeclaration, EnumMember } from "../../1-parse/ast.js";
import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Two members with one value cannot be told apart where the value travels. */
export const duplicateEnumValue: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    findDuplicates(syntax.members, (member) => valueOf(syntax, member))
      // Equal names are `duplicate-enum-member`.
      .filter(({ first, again }) => first.name.text !== again.name.text)
      .map(({ first, again }) =>
        reportWarning(
          "duplicate-enum-value",
          locate(document, again.value ?? again.name),
          `members \`${first.name.text}\` and \`${again.name.text}\` have the same value \`${valueOf(syntax, again)}\``,
          {
            related: [
              relate(document, first.value ?? first.name, "first used here"),
            ],
            ...(again.value === undefined && {
              notes: [
                "a member without a value gets its place in the list, counted from 0",
              ],
            }),
          },
        ),
      ),
  );

function valueOf(syntax: EnumDeclaration, member: EnumMember): string {
  if (member.value) return member.value.text;
  const isString = syntax.base.text === "string";
  return isString ? member.name.text : String(syntax.members.indexOf(member));
}
