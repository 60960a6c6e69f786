import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every member of an enum says what it means. */
export const commentEnumValue: LintRule = {
  code: "comment-enum-value",
  category: "comments",
  find: ({ nodes }) =>
    nodes.enums.flatMap(({ syntax, document }) =>
      findUndocumented(
        "member",
        syntax.members.map((member) => ({ syntax: member, document })),
      ),
    ),
};
