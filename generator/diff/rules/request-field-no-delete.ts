import { breaksBoth, effectsIn } from "../facts/effects.js";
import { keepField, removedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Servers pass over fields that they do not know: what was asked is not done. */
export const requestFieldNoDelete: BreakingRule = {
  code: "request-field-no-delete",
  find: (contracts) =>
    removedFields(contracts, "request").map((removed) => ({
      effects: effectsIn(
        removed.flow,
        {
          narrower: "danger",
          wider: removed.field.isOptional ? undefined : "error",
        },
        breaksBoth,
      ),
      message: `${nameOf(removed.subject)} was removed from requests`,
      before: removed.subject,
      after: removed.owners.after,
      path: removed.path,
      help: keepField(removed, "sends"),
    })),
};
