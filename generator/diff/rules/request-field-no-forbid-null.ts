import { placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import { findForbiddenNulls } from "../nulls.js";
import type { BreakingRule } from "../rule.js";

/** Old clients may send null, and are refused. */
export const requestFieldNoForbidNull: BreakingRule = {
  code: "request-field-no-forbid-null",
  find: (contracts) =>
    findForbiddenNulls(contracts, "request").map(({ kept, effects }) => ({
      ...placeOfKept(kept),
      effects,
      message: `${nameOf(kept.after.subject)} can no longer be null in requests`,
      help: "keep `+ nullable = true`",
    })),
};
