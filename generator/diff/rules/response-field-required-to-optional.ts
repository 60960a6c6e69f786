import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

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
        effects: { wire: "error", "client-source": "error" },
        message: `responses may leave out ${nameOf(kept.after.subject)} now`,
        help: "leave it required, with a value that says that there is none",
      })),
};
