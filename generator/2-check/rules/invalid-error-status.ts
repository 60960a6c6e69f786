import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** An error answers with an HTTP status that means failure. */
export const invalidErrorStatus: Rule = ({ nodes }) =>
  nodes.errors.flatMap(({ syntax: { status }, document }) => {
    if (status === undefined || status.text === "") return [];
    if (/^[45][0-9]{2}$/.test(status.text)) return [];
    return reportError(
      "invalid-error-status",
      locate(document, status),
      `\`${status.text}\` cannot be the HTTP status of an error`,
      { notes: ["the status of an error is between 400 and 599"] },
    );
  });
