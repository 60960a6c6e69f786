import { breaksCode } from "../facts/change.js";
import { breaksBoth, effectsIn } from "../facts/effects.js";
import { pairMembers } from "../facts/members.js";
import type { BreakingRule } from "../facts/rule.js";

/** On the wire a value is its text. */
export const enumValueSameJson: BreakingRule = {
  code: "enum-value-same-json",
  find: ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair)
        .kept.filter(
          ({ before, after }) => before.jsonValue !== after.jsonValue,
        )
        .map(({ before, after }) => ({
          effects: { ...effectsIn(pair.flow, breaksBoth), ...breaksCode },
          message: `\`${pair.after.name}.${after.name}\` was "${before.jsonValue}" on the wire, and is now "${after.jsonValue}"`,
          before: { kind: "member", type: pair.before.name, name: before.name },
          after: { kind: "member", type: pair.after.name, name: after.name },
          path: pair.path,
          help: "add a value for the new text, and keep this one",
        })),
    ),
};
