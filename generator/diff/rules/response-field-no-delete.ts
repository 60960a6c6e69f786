import { keepField, removedFields } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients count on it, unless it was optional. */
export const responseFieldNoDelete: BreakingRule = {
  code: "response-field-no-delete",
  find: (contracts) =>
    removedFields(contracts, "response").map((removed) => ({
      effects: {
        wire: removed.field.isOptional ? "danger" : "error",
        "client-source": "error",
        "server-source": "error",
      },
      message: `${nameOf(removed.subject)} of responses is gone`,
      before: removed.subject,
      after: removed.owners.after,
      path: removed.path,
      help: keepField(removed, "reads"),
    })),
};
