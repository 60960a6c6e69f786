import { findAnnotation } from "../notation/annotations.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/**
 * A webhook is sent by POST to an address that the receiver chose, a REST read
 * is a GET with one answer: one method is not both, and neither is a stream.
 */
export const conflictingAnnotations: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax, document }) => {
    const webhook = findAnnotation(syntax, "webhook");
    const get = findAnnotation(syntax, "get");
    const read = get?.value ? get : undefined;
    const name = syntax.name.text;
    if (webhook && read) {
      return reportError(
        "conflicting-annotations",
        locate(document, read),
        `method \`${name}\` cannot be a REST read and a webhook`,
        {
          related: [relate(document, webhook, "declared a webhook here")],
          help: "remove one of the annotations",
        },
      );
    }
    const annotation = webhook ?? read;
    if (annotation === undefined || !syntax.output.isStream) return [];
    return reportError(
      "conflicting-annotations",
      locate(document, annotation),
      `method \`${name}\` cannot be a ${webhook ? "webhook" : "REST read"} and a stream`,
      {
        related: [relate(document, syntax.output, "streams its answer here")],
        help: "remove the annotation, or the word `stream`",
      },
    );
  });
