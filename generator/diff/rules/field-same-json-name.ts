import { breaksBoth, effectsIn } from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** On the wire a field is its name. */
export const fieldSameJsonName: BreakingRule = {
  code: "field-same-json-name",
  find: ({ objects }) =>
    objects.flatMap(({ renamed, flow, path }) =>
      renamed.map(({ before, after }) => ({
        effects: effectsIn(
          flow,
          {
            narrower: after.field.isOptional ? "danger" : "error",
            wider: before.field.isOptional ? "danger" : "error",
          },
          breaksBoth,
        ),
        message: `${nameOf(after.subject)} was \`${before.field.jsonName}\` on the wire, and is now \`${after.field.jsonName}\``,
        before: before.subject,
        after: after.subject,
        path,
        help: `add \`+ json = ${before.field.jsonName}\`, or add a field for the new name`,
      })),
    ),
};
