import { addedFields } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Handlers have to give it; a server of before does not. */
export const responseFieldAddRequired: BreakingRule = {
  code: "response-field-add-required",
  find: (contracts) =>
    addedFields(contracts, "response")
      .filter(({ field }) => !field.isOptional)
      .map(({ subject, owners, path }) => ({
        effects: { "wire-strict": "error", "server-source": "error" },
        message: `responses need the new ${nameOf(subject)}`,
        before: owners.before,
        after: subject,
        path,
        help: "bring out the server before the clients that count on it",
      })),
};
