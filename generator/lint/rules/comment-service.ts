import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every service says what it is for. */
export const commentService: LintRule = {
  code: "comment-service",
  category: "comments",
  find: ({ nodes }) => findUndocumented("service", nodes.services),
};
