import { methodAnnotations } from "../notation.js";
import { locate, reportWarning } from "../report.js";
import { didYouMean } from "../did-you-mean.js";
import type { Rule } from "./rule.js";

/**
 * Annotations without a meaning are kept for others to read, and nothing is
 * said, unless the name is nearly one of ours.
 */
export const unknownAnnotation: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax, document }) =>
    syntax.annotations.flatMap(({ name }) => {
      if (methodAnnotations.includes(name.text)) return [];
      const suggestion = didYouMean(name.text, methodAnnotations);
      if (suggestion.help === undefined) return [];
      return reportWarning(
        "unknown-annotation",
        locate(document, name),
        `annotation \`@${name.text}\` has no meaning`,
        suggestion,
      );
    }),
  );
