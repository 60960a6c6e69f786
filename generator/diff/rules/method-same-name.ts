import { breaksCode } from "../facts/change.js";
import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** A REST read is its path on the wire, and its name in code. */
export const methodSameName: BreakingRule = {
  code: "method-same-name",
  find: ({ methods }) =>
    methods.kept
      .filter(
        ({ before, after }) =>
          before.subject.method !== after.subject.method ||
          (before.subject.service !== after.subject.service &&
            after.method.route.kind === "rest"),
      )
      .map(({ before, after }) => ({
        effects: breaksCode,
        message: `${nameOfMethod(before)} was renamed to ${nameOfMethod(after)}`,
        before: before.subject,
        after: after.subject,
        help: "keep its name: generated code is named after it",
      })),
};
