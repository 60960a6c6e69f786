import { effectsOfKept, keptFields, placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

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
        effects: effectsOfKept(
          kept,
          { narrower: "error" },
          { narrower: "error" },
        ),
        message: `requests now require ${nameOf(kept.after.subject)}`,
        help: "keep it optional, and give it a default on the server",
      })),
};
