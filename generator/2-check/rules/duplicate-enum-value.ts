import type { EnumDeclaration, EnumMember } from "../../1-parse/ast.js";
import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Two members with one value cannot be told apart where the value travels. */
export const duplicateEnumValue: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    findDuplicates(syntax.members, (member, index) =>
      valueOf(syntax, member, index),
    )
      // Equal names are `duplicate-enum-member`.
      .filter(({ first, again }) => first.name.text !== again.name.text)
      .map(({ first, again, key }) =>
        reportWarning(
          "duplicate-enum-value",
          locate(document, again.value ?? again.name),
          `members \`${first.name.text}\` and \`${again.name.text}\` have the same value \`${key}\``,
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

function valueOf(
  { base }: EnumDeclaration,
  { name, value }: EnumMember,
  index: number,
): string {
  if (value) return value.text;
  return base.text === "string" ? name.text : String(index);
}
