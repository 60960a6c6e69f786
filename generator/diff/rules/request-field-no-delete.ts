import { keepField, removedFields } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Servers pass over fields that they do not know: what was asked is not done. */
export const requestFieldNoDelete: BreakingRule = {
  code: "request-field-no-delete",
  find: (contracts) =>
    removedFields(contracts, "request").map((removed) => ({
      effects: {
        wire: "danger",
        ...(!removed.field.isOptional && { "wire-strict": "error" }),
        "client-source": "error",
        "server-source": "error",
      },
      message: `${nameOf(removed.subject)} of requests is gone`,
      before: removed.subject,
      after: removed.owners.after,
      path: removed.path,
      help: keepField(removed, "sends"),
    })),
};
