import { findUndocumented } from "../facts/undocumented.js";
import type { LintRule } from "./rule.js";

/** Every enum says what its members are. */
export const commentEnum: LintRule = {
  code: "comment-enum",
  category: "comments",
  find: ({ nodes }) => findUndocumented("enum", nodes.enums),
};
