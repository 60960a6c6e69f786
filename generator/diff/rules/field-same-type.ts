import type { TypeReference } from "../../ir/contract.js";
import type { Effects, Side } from "../change.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";
import { printType } from "../wire-kind.js";

/** Texts that mean something else, e.g. a moment and not just any text. */
export const fieldSameType: BreakingRule = {
  code: "field-same-type",
  find: ({ values }) =>
    values
      .filter(({ before, after, kinds }) => {
        const isOne = kinds.before === kinds.after;
        const isText = isOne && kinds.before === "string";
        const isOneAny =
          !isOne && (kinds.before === "any" || kinds.after === "any");
        return isOneAny || (isText && meaningOf(before) !== meaningOf(after));
      })
      .map(({ before, after, direction, subjects, path }) => ({
        effects: {
          ...wireEffects(before, after, direction),
          "client-source": "error",
          "server-source": "error",
        },
        message: `${nameOf(subjects.after)} was \`${printType(before)}\`, and is \`${printType(after)}\``,
        ...subjects,
        path,
        help: "add a field of the new type, and keep this",
      })),
};

/** Enums are compared by their members, whatever their names are. */
function meaningOf(type: TypeReference): string {
  if (type.kind === "reference") return "enum";
  return type.kind === "list" ? "bytes" : printType(type);
}

/** What is written must be what the other side reads. */
function wireEffects(
  before: TypeReference,
  after: TypeReference,
  direction: Side,
): Effects {
  const isWider = widthOf(after) > widthOf(before);
  const isNarrower = widthOf(after) < widthOf(before);
  if (direction === "request") {
    return isWider ? { "wire-strict": "error" } : { wire: "error" };
  }
  if (isNarrower) return { "wire-strict": "danger" };
  return { wire: isWider ? "danger" : "error" };
}

/** Anything at all holds any text, which holds all that is told apart here. */
function widthOf(type: TypeReference): number {
  if (type.kind !== "scalar") return 0;
  return type.name === "any" ? 2 : type.name === "string" ? 1 : 0;
}
