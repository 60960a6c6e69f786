import { inNodes } from "../../2-check/report/finding.js";
import type { LintRule, LintRules } from "./rule.js";

/**
 * Creates a rule about nodes without comments. `what` names the kind of node.
 */
function undocumented(
  what: string,
  ...kinds: readonly (
    | "aliases"
    | "enums"
    | "errors"
    | "fields"
    | "members"
    | "methods"
    | "services"
    | "structs"
  )[]
): LintRule {
  return inNodes(
    kinds,
    ({ syntax: { docs, name } }) =>
      !docs.some(isText) && {
        at: name,
        message: `${what} \`${name.text}\` has no comment`,
        help: "add a comment above it",
      },
  );
}

/** Whether a line is text. `origin:` lines do not count as comments. */
function isText(line: string): boolean {
  return line.trim() !== "" && !line.trim().startsWith("origin:");
}

/** Rules about declarations without comments. */
export const commentRules = {
  "comment-enum": undocumented("enum", "enums"),
  "comment-enum-value": undocumented("member", "members"),
  "comment-error": undocumented("error", "errors"),
  "comment-field": undocumented("field", "fields"),
  "comment-method": undocumented("method", "methods"),
  "comment-service": undocumented("service", "services"),
  "comment-type": undocumented("type", "structs", "aliases"),
} satisfies LintRules;
