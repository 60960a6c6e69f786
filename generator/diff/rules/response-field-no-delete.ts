import { breaksBoth, effectsIn, nounOf } from "../facts/effects.js";
import { keepField, removedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients count on it, unless it was optional. */
export const responseFieldNoDelete: BreakingRule = {
  code: "response-field-no-delete",
  find: (contracts) =>
    removedFields(contracts, "response").map((removed) => ({
      effects: effectsIn(
        removed.flow,
        { wider: removed.field.isOptional ? "danger" : "error" },
        breaksBoth,
      ),
      message: `${nameOf(removed.subject)} was removed from ${nounOf[removed.flow]}`,
      before: removed.subject,
      after: removed.owners.after,
      path: removed.path,
      help: keepField(removed, "reads"),
    })),
};
