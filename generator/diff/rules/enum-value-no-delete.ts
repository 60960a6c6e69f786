import { breaksCode } from "../change.js";
import { effectsIn, levelOfMisfit } from "../effects.js";
import { pairMembers } from "../members.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

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
