import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients may leave it out, and are refused. */
export const requestFieldOptionalToRequired: BreakingRule = {
  code: "request-field-optional-to-required",
  find: (contracts) =>
    keptFields(contracts, "request")
      .filter(
        ({ before, after }) =>
          before.field.isOptional && !after.field.isOptional,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: { wire: "error", "client-source": "error" },
        message: `requests need ${nameOf(kept.after.subject)}, which was optional`,
        help: "leave it optional, and let the server say what holds without it",
      })),
};
