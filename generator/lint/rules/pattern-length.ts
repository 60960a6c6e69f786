import { locate } from "../../2-check/report/report.js";
import { findPatterns } from "../facts/patterns.js";
import { parsePattern } from "../../pattern/parse-pattern.js";
import { longestMatch } from "../../pattern/pattern.js";
import type { LintRule } from "./rule.js";

/** A pattern that repeats without end takes texts without end. */
export const patternLength: LintRule = {
  code: "pattern-length",
  category: "security",
  find: (program) =>
    findPatterns(program).flatMap(({ value, document, name, maxLength }) => {
      const pattern = parsePattern(value.text);
      const isLimited =
        pattern === null ||
        maxLength < Infinity ||
        longestMatch(pattern) < Infinity;
      if (isLimited) return [];
      return {
        location: locate(document, value),
        message: `\`${name.text}\` has a pattern without end, and no \`maxLength\``,
        help: "add `+ maxLength = …`",
      };
    }),
};
