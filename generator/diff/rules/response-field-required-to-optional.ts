import { nounOf } from "../facts/effects.js";
import { effectsOfKept, keptFields, placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients count on it. */
export const responseFieldRequiredToOptional: BreakingRule = {
  code: "response-field-required-to-optional",
  find: (contracts) =>
    keptFields(contracts, "response")
      .filter(
        ({ before, after }) =>
          !before.field.isOptional && after.field.isOptional,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: effectsOfKept(kept, { wider: "error" }, { wider: "error" }),
        message: `${nameOf(kept.after.subject)} is now optional in ${nounOf[kept.flow]}`,
        help: "keep it required, with a value that means that there is none",
      })),
};
