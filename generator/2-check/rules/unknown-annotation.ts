import { findCredentials } from "../program/credentials.js";
import { changingContract, didYouMean } from "../report/did-you-mean.js";
import { methodAnnotations } from "../notation/notation.js";
import { locate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Other tools have `@set` and `@author`: not every neighbour is a mistake. */
const SURE_LENGTH = 6;

/**
 * Annotations without a meaning are kept for others to read, and nothing is
 * said, unless the name is nearly one of ours. In a contract that declares
 * credentials this includes the short ones: `@auht` would open a method to all.
 */
export const unknownAnnotation: Rule = (program) => {
  const isOurs = findCredentials(program).length > 0;
  const candidates = methodAnnotations.filter(
    (name) => isOurs || name.length >= SURE_LENGTH,
  );
  return program.nodes.methods.flatMap(({ syntax, document }) =>
    syntax.annotations.flatMap(({ name }) => {
      if (methodAnnotations.includes(name.text)) return [];
      const place = locate(document, name);
      const suggestion = didYouMean(name.text, candidates, place);
      if (suggestion.help === undefined) return [];
      return reportWarning(
        "unknown-annotation",
        place,
        `annotation \`@${name.text}\` has no meaning`,
        changingContract(suggestion),
      );
    }),
  );
};
