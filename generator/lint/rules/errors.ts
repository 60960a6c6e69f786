import { inNodes, locate } from "../../2-check/report/finding.js";
import type { LintRules } from "./rule.js";

/** Rules about declared errors. */
export const errorRules = {
  "error-code-range": inNodes(
    ["errors"],
    ({ syntax: { code, name } }) =>
      Number(code.text) >= 100 &&
      Number(code.text) <= 599 && {
        at: code,
        message: `the code of \`${name.text}\` looks like an HTTP status`,
        notes: [
          "an error has both a code and a status; errors can share a status, but not a code",
        ],
        help: "use codes of 1000 and above, with a separate range for each kind of error",
      },
  ),

  "error-http-status-explicit": inNodes(
    ["errors"],
    ({ syntax: { name, span, status }, document }) =>
      status === undefined && {
        at: name,
        message: `error \`${name.text}\` does not state its HTTP status`,
        notes: ["the default is 400"],
        help: "add `HTTP` and a status from 400 to 599",
        fix: {
          location: locate(document, {
            span: { start: span.end, end: span.end },
          }),
          replacement: " HTTP 400",
        },
      },
  ),

  // Messages appear inside longer lines, so they have no final punctuation,
  // surrounding white space or line break.
  "error-message-style": inNodes(
    ["errors"],
    ({ syntax: { message, name } }) => {
      const fault = faultOf(message.text, name.text);
      return (
        fault !== null && {
          at: message,
          message: `the message of \`${name.text}\` ${fault}`,
          help: "use a few words, such as `Item not found`",
        }
      );
    },
  ),
} satisfies LintRules;

function faultOf(message: string, name: string): string | null {
  if (/[\r\n]/.test(message)) return "has a line break";
  if (message.trim() !== message) return "begins or ends with white space";
  if (/[.!?]$/.test(message)) return "ends with punctuation";
  return message === name ? "only repeats the name" : null;
}
