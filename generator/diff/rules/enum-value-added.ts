import { nameOf } from "../names.js";
import { pairMembers } from "../members.js";
import type { BreakingRule } from "../rule.js";

/** Old clients have no case for it; a server of before refuses it. */
export const enumValueAdded: BreakingRule = {
  code: "enum-value-added",
  find: ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).added.map(({ name }) => ({
        effects:
          pair.direction === "request"
            ? { "wire-strict": "error", "server-source": "danger" }
            : { wire: "danger", "client-source": "danger" },
        message: `value \`${name}\` of ${nameOf(pair.subjects.after)} is new in ${pair.direction}s`,
        before: pair.subjects.before,
        after: { kind: "member", type: pair.after.name, name },
        path: pair.path,
        help: "an alias of `string` with `+ known = …` is an enum that may grow",
      })),
    ),
};
