import { nounOf } from "../effects.js";
import { placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import { findForbiddenNulls } from "../nulls.js";
import type { BreakingRule } from "../rule.js";

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
