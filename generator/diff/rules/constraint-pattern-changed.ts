import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Nobody can say in general whether a pattern matches more than another. */
export const constraintPatternChanged: BreakingRule = {
  code: "constraint-pattern-changed",
  find: ({ limits }) =>
    limits
      .filter(
        ({ before, after }) =>
          before.pattern !== undefined &&
          after.pattern !== undefined &&
          before.pattern !== after.pattern,
      )
      .map(({ before, after, subjects, path }) => ({
        effects: { wire: "danger", "wire-strict": "danger" },
        message: `${nameOf(subjects.after)} had the pattern \`${before.pattern}\`, and has \`${after.pattern}\``,
        ...subjects,
        path,
        help: "see to it that what matched before matches still",
      })),
};
