import { effectsIn, levelOfMisfit, nounOf } from "../facts/effects.js";
import { pairMembers } from "../facts/members.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients have no case for it; whoever checks what it reads refuses it. */
export const enumValueAdded: BreakingRule = {
  code: "enum-value-added",
  find: ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).added.map(({ name }) => ({
        effects: effectsIn(
          pair.flow,
          { wider: levelOfMisfit(pair.flow) },
          { wider: "danger" },
        ),
        message: `value \`${name}\` of ${nameOf(pair.subjects.after)} is new in ${nounOf[pair.flow]}`,
        before: pair.subjects.before,
        after: { kind: "member", type: pair.after.name, name },
        path: pair.path,
        help: "use an alias of `string` with `+ known = …` for an enum that may grow",
      })),
    ),
};
