import { nounOf } from "../facts/effects.js";
import { placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import { findAllowedNulls } from "../facts/nulls.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients count on a value. */
export const responseFieldNoAllowNull: BreakingRule = {
  code: "response-field-no-allow-null",
  find: (contracts) =>
    findAllowedNulls(contracts, "response").map(({ kept, effects }) => ({
      ...placeOfKept(kept),
      effects,
      message: `${nameOf(kept.after.subject)} can now be null in ${nounOf[kept.flow]}`,
      help: "add an optional field for the new meaning, and keep this one",
    })),
};
