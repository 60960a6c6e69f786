import { findAnnotation } from "../annotations.js";
import { locate, relate, reportError } from "../report.js";
import type { Rule } from "./rule.js";

/** A webhook is sent by POST to an address that the receiver chose. */
export const conflictingAnnotations: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax, document }) => {
    const webhook = findAnnotation(syntax, "webhook");
    const read = findAnnotation(syntax, "get");
    if (webhook === undefined || read?.value === undefined) return [];
    return reportError(
      "conflicting-annotations",
      locate(document, read),
      `method \`${syntax.name.text}\` cannot be a REST read and a webhook`,
      {
        related: [relate(document, webhook, "declared a webhook here")],
        help: "remove one of the annotations",
      },
    );
  });
