import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** Messages are parts of longer lines: no stop, no space, no line break. */
export const errorMessageStyle: LintRule = {
  code: "error-message-style",
  category: "standard",
  find: ({ nodes }) =>
    nodes.errors.flatMap(({ syntax: { message, name }, document }) => {
      const fault = faultOf(message.text, name.text);
      if (fault === null) return [];
      return {
        location: locate(document, message),
        message: `the message of \`${name.text}\` ${fault}`,
        help: "write a few plain words, such as `Item not found`",
      };
    }),
};

function faultOf(message: string, name: string): string | null {
  if (/[\r\n]/.test(message)) return "has a line break";
  if (message.trim() !== message) return "begins or ends with white space";
  if (/[.!]$/.test(message)) return "ends with a full stop";
  return message === name ? "only repeats the name" : null;
}
