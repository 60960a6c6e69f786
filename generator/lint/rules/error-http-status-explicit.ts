import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** Without a status an error is 400, whatever it is about. */
export const errorHttpStatusExplicit: LintRule = {
  code: "error-http-status-explicit",
  category: "standard",
  find: ({ nodes }) =>
    nodes.errors
      .filter(({ syntax }) => syntax.status === undefined)
      .map(({ syntax: { name, span }, document }) => ({
        location: locate(document, name),
        message: `error \`${name.text}\` does not say its HTTP status`,
        notes: ["it is 400 then"],
        help: "add `HTTP` and a status from 400 to 599",
        fix: {
          location: locate(document, {
            span: { start: span.end, end: span.end },
          }),
          replacement: " HTTP 400",
        },
      })),
};
