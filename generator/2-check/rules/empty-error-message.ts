import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** An error says something to people. */
export const emptyErrorMessage: Rule = ({ nodes }) =>
  nodes.errors.flatMap(({ syntax: { name, message }, document }) => {
    if (message.text !== "" || !message.isQuoted) return [];
    return reportError(
      "empty-error-message",
      locate(document, message),
      `error \`${name.text}\` has an empty message`,
      { help: "say in a few words what went wrong" },
    );
  });
