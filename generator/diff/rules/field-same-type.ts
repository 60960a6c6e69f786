import type { TypeReference } from "../../ir/contract.js";
import type { Effects, Side } from "../change.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";
import { printType, wireKindOf } from "../wire-kind.js";

/** Texts that mean something else, e.g. a moment and not just any text. */
export const fieldSameType: BreakingRule = {
  code: "field-same-type",
  find: ({ values, indexes }) =>
    values
      .filter(({ before, after }) => {
        const kinds = [
          wireKindOf(before, indexes.before),
          wireKindOf(after, indexes.after),
        ];
        const isText = kinds.every((kind) => kind === "string");
        const isOneAny = kinds[0] !== kinds[1] && kinds.includes("any");
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
  const isWider = isAnything(after);
  const isNarrower = isAnything(before) && !isWider;
  if (direction === "request") {
    return isWider ? { "wire-strict": "error" } : { wire: "error" };
  }
  if (isNarrower) return { "wire-strict": "danger" };
  return { wire: isWider ? "danger" : "error" };
}

/** Whether it may be any text, or anything at all. */
function isAnything(type: TypeReference): boolean {
  if (type.kind !== "scalar") return false;
  return type.name === "any" || type.name === "string";
}
