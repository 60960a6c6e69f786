import { locate } from "../../2-check/report/report.js";
import { findPatterns } from "../facts/patterns.js";
import { parsePattern } from "../../pattern/parse-pattern.js";
import { isAnchoredAtEnd, isAnchoredAtStart } from "../../pattern/pattern.js";
import type { LintRule } from "./rule.js";

/** A pattern is searched for: without anchors anything may stand around it. */
export const patternAnchored: LintRule = {
  code: "pattern-anchored",
  category: "security",
  find: (program) =>
    findPatterns(program).flatMap(({ value, document }) => {
      const pattern = parsePattern(value.text);
      if (pattern === null) return [];
      const hasStart = isAnchoredAtStart(pattern);
      const hasEnd = isAnchoredAtEnd(pattern);
      if (hasStart && hasEnd) return [];
      const where = hasStart ? "behind" : hasEnd ? "before" : "around";
      return {
        location: locate(document, value),
        message: `\`pattern\` lets anything stand ${where} what it matches`,
        help: "write `^` at its begin and `$` at its end, around all alternatives: `^(a|b)$`",
      };
    }),
};
