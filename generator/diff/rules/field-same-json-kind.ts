import { breaksBoth, effectsIn } from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { codeShiftOf } from "../facts/value.js";
import { printType } from "../facts/wire-kind.js";

/** A text is no number, and a list no object. */
export const fieldSameJsonKind: BreakingRule = {
  code: "field-same-json-kind",
  find: ({ values }) =>
    values
      .filter(
        ({ before, after }) =>
          // What `any` holds is a matter of types.
          before.kind !== after.kind &&
          before.kind !== "any" &&
          after.kind !== "any",
      )
      .map(({ before, after, flow, subjects, path }) => ({
        effects: effectsIn(flow, breaksBoth, codeShiftOf({ before, after })),
        message: `${nameOf(subjects.after)} was ${before.kind} (\`${printType(before.type)}\`) on the wire, and is now ${after.kind} (\`${printType(after.type)}\`)`,
        ...subjects,
        path,
        help: "add a field of the new type, and keep this one",
      })),
};
