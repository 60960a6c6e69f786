import { effectsIn, nounOf } from "../facts/effects.js";
import { addedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Handlers have to give it; a server of before does not. */
export const responseFieldAddRequired: BreakingRule = {
  code: "response-field-add-required",
  find: (contracts) =>
    addedFields(contracts, "response")
      .filter(({ field }) => !field.isOptional)
      .map(({ subject, owners, flow, path }) => ({
        effects: effectsIn(flow, { narrower: "error" }, { narrower: "error" }),
        message: `${nounOf[flow]} require the new ${nameOf(subject)}`,
        before: owners.before,
        after: subject,
        path,
        help: "release the server before clients that rely on it",
      })),
};
