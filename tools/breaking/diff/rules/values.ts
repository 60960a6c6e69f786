import type { Level } from "../facts/change.js";
import {
  breaksBoth,
  effectsIn,
  type Flow,
  levelOfViolation,
  nounOf,
  type Shift,
} from "../facts/effects.js";
import { nameOf, printType } from "../facts/names.js";
import type { WirePair } from "../facts/paired-contracts.js";
import type { BreakingRules } from "../facts/rule.js";
import { containsNumbers, containsStrings } from "../facts/sets.js";
import { codeShiftOf, type WireValue } from "../facts/value.js";

/** Rules about the types of values. */
export const valueRules = {
  "field-same-json-kind": ({ values }) =>
    values
      .filter(
        ({ before, after }) =>
          before.kind !== after.kind &&
          ![before, after].some((value) => isAny(value) || isUnion(value)),
      )
      .map(({ before, after, flow, subjects, path, part }) => ({
        effects: effectsIn(flow, breaksBoth, codeShiftOf({ before, after })),
        message: `${part}${nameOf(subjects.after)} had the JSON type ${before.kind} (\`${printType(before.type)}\`) and now has the JSON type ${after.kind} (\`${printType(after.type)}\`)`,
        ...subjects,
        path,
        help: "add a field of the new type, and keep this one",
      })),

  // The JSON type is the same, or one of the types is `any`, but the sets of
  // values or the types in code differ.
  "field-same-type": ({ values }) =>
    values.filter(isOtherText).map((pair) => ({
      effects: effectsIn(pair.flow, textShift(pair), codeShiftOf(pair)),
      message: `${pair.part}${nameOf(pair.subjects.after)} ${describeChange(pair)}`,
      ...pair.subjects,
      path: pair.path,
      help: "add a field of the new type, and keep this one",
    })),

  "field-numeric-narrowed": ({ values }) =>
    values.filter(isOtherNumber).map((pair) => ({
      effects: effectsIn(
        pair.flow,
        {
          narrower: readsNumbers(pair.after, pair.before) ? undefined : "error",
          wider: readsNumbers(pair.before, pair.after) ? undefined : "error",
        },
        pair.before.code === pair.after.code ? {} : breaksBoth,
      ),
      message: `${pair.part}${nameOf(pair.subjects.after)} in ${nounOf[pair.flow]} ${describeNumbers(pair)}`,
      ...pair.subjects,
      path: pair.path,
      help:
        pair.flow === "request"
          ? "keep the type, and return an error for numbers that do not fit"
          : "add a field of the new type, and keep this one",
    })),
} satisfies BreakingRules;

/** Whether a value is `any`, which accepts every kind. */
function isAny({ kind }: WireValue): boolean {
  return kind === "any";
}

/** Whether a value is a union. Other rules compare its variants. */
function isUnion({ kind }: WireValue): boolean {
  return kind === "union";
}

function isOtherText({ before, after }: WirePair<WireValue>): boolean {
  if (before.kind !== after.kind) return isAny(before) || isAny(after);
  if (before.kind !== "string") return false;
  if (before.content !== after.content) return true;
  // In a path and as a map key, numbers are strings.
  const hasForms = ["number", "timestamp"].includes(before.content);
  return hasForms && describe(before) !== describe(after);
}

/**
 * Returns the effects of a change to the set of valid strings. Each version
 * must be able to read the other's strings.
 */
function textShift({ before, after, flow }: WirePair<WireValue>): Shift {
  return {
    narrower: readsTexts(after, before) ? undefined : levelFor(after, flow),
    wider: readsTexts(before, after) ? undefined : levelFor(before, flow),
  };
}

function readsTexts(reader: WireValue, written: WireValue): boolean {
  return isAny(reader) || (!isAny(written) && containsStrings(reader, written));
}

/**
 * Returns the level of an invalid string. Clients accept any text for enums and
 * map keys, but fail to read other types.
 */
function levelFor(reader: WireValue, flow: Flow): Level {
  const isRead = reader.content !== "enum" && reader.form !== "key";
  return isRead ? "error" : levelOfViolation(flow);
}

function isOtherNumber({ before, after }: WirePair<WireValue>): boolean {
  return (
    before.kind === "number" &&
    after.kind === "number" &&
    describe(before) !== describe(after)
  );
}

/** Whether the type of one value can represent every number of the other. */
function readsNumbers({ range }: WireValue, { numbers }: WireValue): boolean {
  return range !== null && numbers !== null && containsNumbers(range, numbers);
}

/**
 * Describes a change, e.g. ``was `uint8` and is now `string` ``. If the type is
 * the same, describes how its values changed.
 */
function describeChange(pair: WirePair<WireValue>): string {
  const describeOne = isSameType(pair)
    ? describeInCode
    : ({ type }: WireValue) => `\`${printType(type)}\``;
  return `was ${describeOne(pair.before)} and is now ${describeOne(pair.after)}`;
}

/** Describes a change like {@link describeChange}, for JSON numbers. */
function describeNumbers(pair: WirePair<WireValue>): string {
  const describeOne = isSameType(pair) ? describeInCode : describe;
  return `was ${describeOne(pair.before)} and is now ${describeOne(pair.after)}`;
}

function isSameType({ before, after }: WirePair<WireValue>): boolean {
  return printType(before.type) === printType(after.type);
}

/**
 * Describes a type, including whether 64-bit integers are exact and timestamps
 * are dates.
 */
function describe(value: WireValue): string {
  return isExact(value) || value.code === "date"
    ? describeInCode(value)
    : `\`${printType(value.type)}\``;
}

/** Describes a type and its values in code. */
function describeInCode(value: WireValue): string {
  const { code, form, type } = value;
  const name = `\`${printType(type)}\``;
  if (code === "date") return `${name} (a \`Date\` in code)`;
  const kind = isExact(value) ? "bigint" : code;
  return form === "key"
    ? `${name} (with \`int64: ${isExact(value) ? "bigint" : "number"}\`)`
    : `${name} (a \`${kind}\` in code)`;
}

/** Whether 64-bit integers beyond ±(2^53−1) keep their digits. */
function isExact({ range }: WireValue): boolean {
  return range?.isWhole === true && range.maximum > Number.MAX_SAFE_INTEGER;
}
