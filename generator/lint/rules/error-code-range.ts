import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

const leastStatus = 100;
const mostStatus = 599;

/** Codes that look like HTTP statuses are taken for them. */
export const errorCodeRange: LintRule = {
  code: "error-code-range",
  category: "standard",
  find: ({ nodes }) =>
    nodes.errors.flatMap(({ syntax: { code, name }, document }) => {
      const value = Number(code.text);
      if (value < leastStatus || value > mostStatus) return [];
      return {
        location: locate(document, code),
        message: `the code of \`${name.text}\` looks like an HTTP status`,
        notes: ["an answer has both, and only the code tells errors apart"],
        help: "count from 1000 on, say, a thousand for each kind of error",
      };
    }),
};
