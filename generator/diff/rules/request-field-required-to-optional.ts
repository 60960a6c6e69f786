import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

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
        effects: { "wire-strict": "error", "server-source": "error" },
        message: `requests may leave out ${nameOf(kept.after.subject)} now`,
        help: "bring out the server before the clients that leave it out",
      })),
};
