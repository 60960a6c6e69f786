import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Handlers have to give it; a server of before may not. */
export const responseFieldOptionalToRequired: BreakingRule = {
  code: "response-field-optional-to-required",
  find: (contracts) =>
    keptFields(contracts, "response")
      .filter(
        ({ before, after }) =>
          before.field.isOptional && !after.field.isOptional,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: { "wire-strict": "error", "server-source": "error" },
        message: `responses need ${nameOf(kept.after.subject)}, which was optional`,
        help: "bring out the server before the clients that count on it",
      })),
};
