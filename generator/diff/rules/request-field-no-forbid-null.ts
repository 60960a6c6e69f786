import { keptFields, placeOfKept } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients may send null, and are refused. */
export const requestFieldNoForbidNull: BreakingRule = {
  code: "request-field-no-forbid-null",
  find: (contracts) =>
    keptFields(contracts, "request")
      .filter(
        ({ before, after }) =>
          before.field.isNullable && !after.field.isNullable,
      )
      .map((kept) => ({
        ...placeOfKept(kept),
        effects: { wire: "error", "client-source": "error" },
        message: `${nameOf(kept.after.subject)} of requests may no longer be null`,
        help: "leave it `+ nullable = true`",
      })),
};
