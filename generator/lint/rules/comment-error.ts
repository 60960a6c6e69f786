import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every error says when it occurs. */
export const commentError: LintRule = {
  code: "comment-error",
  category: "comments",
  find: ({ nodes }) => findUndocumented("error", nodes.errors),
};
