import type { WirePair } from "../facts/paired-contracts.js";
import {
  effectsIn,
  type Flow,
  levelOfMisfit,
  type Shift,
} from "../facts/effects.js";
import type { Level } from "../facts/change.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { holdsTexts } from "../facts/sets.js";
import { codeShiftOf, type WireValue } from "../facts/value.js";
import { printType } from "../facts/wire-kind.js";

/** Texts that mean something else, e.g. a moment and not just any text. */
export const fieldSameType: BreakingRule = {
  code: "field-same-type",
  find: ({ values }) =>
    values.filter(isOtherType).map((pair) => ({
      effects: effectsIn(pair.flow, wireShift(pair), codeShiftOf(pair)),
      message: `${nameOf(pair.subjects.after)} was \`${printType(pair.before.type)}\`, and is now \`${printType(pair.after.type)}\``,
      before: pair.subjects.before,
      after: pair.subjects.after,
      path: pair.path,
      help: "add a field of the new type, and keep this one",
    })),
};

function isOtherType({ before, after }: WirePair<WireValue>): boolean {
  if (before.kind !== after.kind) return isAny(before) || isAny(after);
  if (before.kind !== "string") return false;
  return (
    before.content.kind !== after.content.kind ||
    // In a path, or as a key.
    (before.content.kind === "number" &&
      printType(before.type) !== printType(after.type))
  );
}

function isAny({ kind }: WireValue): boolean {
  return kind === "any";
}

/** What is written must be what the other side reads. */
function wireShift({ before, after, flow }: WirePair<WireValue>): Shift {
  return {
    narrower: holds(after, before) ? undefined : levelFor(after, flow),
    wider: holds(before, after) ? undefined : levelFor(before, flow),
  };
}

function holds(wide: WireValue, narrow: WireValue): boolean {
  return isAny(wide) || (!isAny(narrow) && holdsTexts(wide, narrow));
}

/** Clients read nothing from texts of enums, and fail to read others. */
function levelFor(reader: WireValue, flow: Flow): Level {
  const isRead = reader.content.kind !== "enum" && reader.form !== "key";
  return isRead ? "error" : levelOfMisfit(flow);
}
