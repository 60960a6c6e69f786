import type { Effects, Side } from "../change.js";
import type { TypeReference } from "../../ir/contract.js";
import { nameOf } from "../names.js";
import { holdsNumbers } from "../numbers.js";
import type { BreakingRule } from "../rule.js";
import { printType } from "../wire-kind.js";

/** Whoever reads a number must take every one that is written. */
export const fieldNumericNarrowed: BreakingRule = {
  code: "field-numeric-narrowed",
  find: ({ values }) =>
    values
      .filter(
        ({ before, after, kinds }) =>
          kinds.before === "number" &&
          kinds.after === "number" &&
          printType(before) !== printType(after),
      )
      .map(({ before, after, direction, subjects, path }) => ({
        effects: effectsOf(before, after, direction),
        message: `${nameOf(subjects.after)} of ${direction}s was \`${printType(before)}\`, and is \`${printType(after)}\``,
        ...subjects,
        path,
        help:
          direction === "request"
            ? "leave it as wide as it was, and refuse what does not fit with an error"
            : "add a field of the new type, and keep this",
      })),
};

function effectsOf(
  before: TypeReference,
  after: TypeReference,
  direction: Side,
): Effects {
  const [written, read] =
    direction === "request" ? [before, after] : [after, before];
  return {
    ...(!holdsNumbers(read, written) && { wire: "error" }),
    ...(!holdsNumbers(written, read) && { "wire-strict": "error" }),
  };
}
