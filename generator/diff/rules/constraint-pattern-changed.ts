import type { Level } from "../facts/change.js";

import { effectsIn, levelOfMisfit } from "../facts/effects.js";
import { comparePatterns } from "../facts/limits.js";
import { findMisfit } from "../facts/misfit.js";
import { nameOf } from "../facts/names.js";
import { swap } from "../facts/pairing.js";
import type { BreakingRule } from "../facts/rule.js";

/**
 * Nobody can say in general whether a pattern matches more than another, but one
 * text that it no longer matches is enough.
 */
export const constraintPatternChanged: BreakingRule = {
  code: "constraint-pattern-changed",
  find: ({ values }) =>
    values.flatMap((pair) => {
      const { added, removed } = comparePatterns(pair);
      const [then, now] = [removed[0], added[0]];
      if (pair.flow === "receipt" || !then || !now) return [];
      const refused = findMisfit(pair);
      const allowed = findMisfit(swap(pair));
      const levelOf = (example: string | null): Level =>
        example === null ? "danger" : levelOfMisfit(pair.flow);
      return [
        {
          effects: effectsIn(pair.flow, {
            narrower: levelOf(refused),
            wider: levelOf(allowed),
          }),
          message: `${nameOf(now.layer.subject)} had the pattern \`${then.pattern}\`, and now has \`${now.pattern}\`${printExample(refused)}`,
          before: then.layer.subject,
          after: now.layer.subject,
          path: pair.path,
          help: "make sure that what matched before still matches",
        },
      ];
    }),
};

function printExample(text: string | null): string {
  return text === null ? "" : `, which refuses ${JSON.stringify(text)}`;
}
