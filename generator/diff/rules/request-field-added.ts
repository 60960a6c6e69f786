import { effectsIn } from "../facts/effects.js";
import { addedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old servers ignore it: what is asked is not done. */
export const requestFieldAdded: BreakingRule = {
  code: "request-field-added",
  find: (contracts) =>
    addedFields(contracts, "request")
      .filter(({ field }) => field.isOptional)
      .map(({ subject, owners, flow, path }) => ({
        effects: effectsIn(flow, { wider: "danger" }),
        message: `requests have the new optional ${nameOf(subject)}`,
        before: owners.before,
        after: subject,
        path,
        help: "release the server before clients that send it",
      })),
};
