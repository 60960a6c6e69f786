import { placeOfKept } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import { findAllowedNulls } from "../facts/nulls.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old servers refuse null, and handlers do not expect it. */
export const requestFieldNoAllowNull: BreakingRule = {
  code: "request-field-no-allow-null",
  find: (contracts) =>
    findAllowedNulls(contracts, "request").map(({ kept, effects }) => ({
      ...placeOfKept(kept),
      effects,
      message: `${nameOf(kept.after.subject)} can now be null in requests`,
      help: "release the server before clients that send null",
    })),
};
