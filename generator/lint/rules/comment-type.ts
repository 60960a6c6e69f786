import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every struct and every alias says what it is. */
export const commentType: LintRule = {
  code: "comment-type",
  category: "comments",
  find: ({ nodes }) =>
    findUndocumented("type", [...nodes.structs, ...nodes.aliases]),
};
