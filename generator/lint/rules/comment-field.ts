import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every field says what it holds. */
export const commentField: LintRule = {
  code: "comment-field",
  category: "comments",
  find: ({ nodes }) => findUndocumented("field", nodes.fields),
};
