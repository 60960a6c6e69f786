import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients count on a value. */
export const responseFieldNoAllowNull: BreakingRule = {
  code: "response-field-no-allow-null",
  find: (contracts) =>
    keptFields(contracts, "response")
      .filter(
        ({ before, after }) =>
          !before.field.isNullable && after.field.isNullable,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: { wire: "error", "client-source": "error" },
        message: `${nameOf(kept.after.subject)} of responses may be null now`,
        help: "add an optional field for the new meaning, and keep this",
      })),
};
