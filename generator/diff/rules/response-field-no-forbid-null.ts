import { nounOf } from "../facts/effects.js";
import { placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import { findForbiddenNulls } from "../facts/nulls.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old servers still send null, and handlers still return it. */
export const responseFieldNoForbidNull: BreakingRule = {
  code: "response-field-no-forbid-null",
  find: (contracts) =>
    findForbiddenNulls(contracts, "response").map(({ kept, effects }) => ({
      ...placeOfKept(kept),
      effects,
      message: `${nameOf(kept.after.subject)} can no longer be null in ${nounOf[kept.flow]}`,
      help: "release the server before clients that rely on a value",
    })),
};
