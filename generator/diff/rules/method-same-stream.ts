import { breaksEveryone, type Side } from "../facts/change.js";
import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

const sides: readonly Side[] = ["request", "response"];

/** A stream is another content type, and another kind of call. */
export const methodSameStream: BreakingRule = {
  code: "method-same-stream",
  find: ({ methods }) =>
    sides.flatMap((side) =>
      methods.kept
        .filter(
          ({ before, after }) =>
            before.method[side].isStream !== after.method[side].isStream,
        )
        .map(({ before, after }) => ({
          effects: breaksEveryone,
          message: `the ${side} of ${nameOfMethod(after)} ${
            after.method[side].isStream
              ? "is now a stream"
              : "is no longer a stream"
          }`,
          before: before.subject,
          after: after.subject,
          help: "add a method for the new form, and keep this one",
        })),
    ),
};
