import type { CodeModes } from "../facts/modes.js";
import type { WirePair } from "../facts/paired-contracts.js";
import { breaksBoth, effectsIn } from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { holdsNumbers } from "../facts/sets.js";
import { type NumberSet, rangeOf, type WireValue } from "../facts/value.js";
import { nounOf } from "../facts/effects.js";
import { printType } from "../facts/wire-kind.js";

/** Whoever reads a number must take every one that is written. */
export const fieldNumericNarrowed: BreakingRule = {
  code: "field-numeric-narrowed",
  find: ({ values, modes }) =>
    values
      .filter(
        ({ before, after }) =>
          before.kind === "number" &&
          after.kind === "number" &&
          describe(before) !== describe(after),
      )
      .map((pair) => ({
        effects: effectsOf(pair, modes),
        message: `${nameOf(pair.subjects.after)} of ${nounOf[pair.flow]} was ${describe(pair.before)}, and is now ${describe(pair.after)}`,
        before: pair.subjects.before,
        after: pair.subjects.after,
        path: pair.path,
        help:
          pair.flow === "request"
            ? "keep the type, and refuse what does not fit with an error"
            : "add a field of the new type, and keep this one",
      })),
};

/** The form in code is told where it is not the usual one. */
function describe({ type, code }: WireValue): string {
  const name = `\`${printType(type)}\``;
  return code === "bigint" ? `${name} (a \`bigint\` in code)` : name;
}

function effectsOf(
  { before, after, flow }: WirePair<WireValue>,
  modes: CodeModes,
) {
  return effectsIn(
    flow,
    {
      narrower: holds(after, before, modes) ? undefined : "error",
      wider: holds(before, after, modes) ? undefined : "error",
    },
    before.code === after.code ? {} : breaksBoth,
  );
}

/** Whether the type of one holds what the other may be within its limits. */
function holds(
  wide: WireValue,
  { content }: WireValue,
  modes: CodeModes,
): boolean {
  return (
    content.kind === "number" &&
    holdsNumbers(rangeRead(wide, modes), content.numbers)
  );
}

/** Code that has a number reads none beyond ±(2^53-1), whatever the type is. */
function rangeRead({ type, code }: WireValue, modes: CodeModes): NumberSet {
  return rangeOf(
    type,
    code === "bigint" ? modes : { ...modes, int64: "number" },
  );
}
