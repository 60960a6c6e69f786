import { nounOf } from "../facts/effects.js";
import { effectsOfKept, keptFields, placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

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
        effects: effectsOfKept(
          kept,
          { narrower: "error" },
          { narrower: "error" },
        ),
        message: `${nounOf[kept.flow]} now require ${nameOf(kept.after.subject)}`,
        help: "release the server before clients that rely on it",
      })),
};
