import { breaksBoth, effectsIn } from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** In the path of a REST read, or as its body, the wire does not name a field. */
export const fieldSameName: BreakingRule = {
  code: "field-same-name",
  find: ({ objects }) =>
    objects.flatMap(({ fields, flow, path }) =>
      fields.kept
        .filter(
          ({ before, after }) => before.field.jsonName !== after.field.jsonName,
        )
        .map(({ before, after }) => ({
          effects: effectsIn(flow, {}, breaksBoth),
          message: `${nameOf(before.subject)} was renamed to \`${after.field.jsonName}\``,
          before: before.subject,
          after: after.subject,
          path,
          help: `keep the name \`${before.field.jsonName}\``,
        })),
    ),
};
