import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every method says what it does. */
export const commentMethod: LintRule = {
  code: "comment-method",
  category: "comments",
  find: ({ nodes }) => findUndocumented("method", nodes.methods),
};
