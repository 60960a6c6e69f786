import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A pattern is an ECMAScript regular expression with the `u` flag. */
export const invalidPattern: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key, value }, document }) => {
    if (key.text !== "pattern") return [];
    const reason = whyNotRegExp(value.text);
    if (reason === null) return [];
    return reportError(
      "invalid-pattern",
      locate(document, value),
      "`pattern` is not a regular expression",
      { notes: [reason] },
    );
  });

/** What the engine says about the text after its own repetition of it. */
function whyNotRegExp(source: string): string | null {
  try {
    new RegExp(source, "u");
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.slice(text.lastIndexOf(": ") + 2).toLowerCase();
  }
}
