import { effectsIn } from "../facts/effects.js";
import { addedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients do not send it, and are refused. */
export const requestFieldNoAddRequired: BreakingRule = {
  code: "request-field-no-add-required",
  find: (contracts) =>
    addedFields(contracts, "request")
      .filter(({ field }) => !field.isOptional)
      .map(({ field, subject, owners, flow, path }) => ({
        effects: effectsIn(
          flow,
          { narrower: "error", wider: "danger" },
          { narrower: "error" },
        ),
        message: `requests require the new ${nameOf(subject)}`,
        before: owners.before,
        after: subject,
        path,
        help: `make it optional: \`${field.name}?\``,
      })),
};
