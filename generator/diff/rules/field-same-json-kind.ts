import { breaksEveryone } from "../change.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";
import { printType } from "../wire-kind.js";

/** A text is no number, and a list no object. */
export const fieldSameJsonKind: BreakingRule = {
  code: "field-same-json-kind",
  find: ({ values }) =>
    values
      .filter(
        ({ kinds: { before, after } }) =>
          // What `any` holds is a matter of types.
          before !== after && before !== "any" && after !== "any",
      )
      .map(({ before, after, kinds, subjects, path }) => ({
        effects: breaksEveryone,
        message: `${nameOf(subjects.after)} was ${kinds.before} (\`${printType(before)}\`) on the wire, and is ${kinds.after} (\`${printType(after)}\`)`,
        ...subjects,
        path,
        help: "add a field of the new type, and keep this",
      })),
};
