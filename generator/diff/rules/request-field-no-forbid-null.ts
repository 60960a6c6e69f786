import { placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import { findForbiddenNulls } from "../facts/nulls.js";
import type { BreakingRule } from "../facts/rule.js";

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
