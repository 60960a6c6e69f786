import { breaksCode } from "../facts/change.js";
import { effectsIn, levelOfMisfit } from "../facts/effects.js";
import { pairMembers } from "../facts/members.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Whoever still sends it is refused; code that names it does not compile. */
export const enumValueNoDelete: BreakingRule = {
  code: "enum-value-no-delete",
  find: ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).removed.map(({ name }) => ({
        effects: {
          ...effectsIn(pair.flow, { narrower: levelOfMisfit(pair.flow) }),
          ...breaksCode,
        },
        message: `value \`${name}\` of ${nameOf(pair.subjects.after)} was removed`,
        before: { kind: "member", type: pair.before.name, name },
        after: pair.subjects.after,
        path: pair.path,
        help: "keep it until nobody sends it",
      })),
    ),
};
