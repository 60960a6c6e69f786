import { effectsOfKept, keptFields, placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Handlers get requests without it; a server of before refuses those. */
export const requestFieldRequiredToOptional: BreakingRule = {
  code: "request-field-required-to-optional",
  find: (contracts) =>
    keptFields(contracts, "request")
      .filter(
        ({ before, after }) =>
          !before.field.isOptional && after.field.isOptional,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: effectsOfKept(kept, { wider: "error" }, { wider: "error" }),
        message: `${nameOf(kept.after.subject)} is now optional in requests`,
        help: "release the server before clients that leave it out",
      })),
};
