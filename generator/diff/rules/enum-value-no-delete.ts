import { nameOf } from "../names.js";
import { pairMembers } from "../members.js";
import type { BreakingRule } from "../rule.js";

/** Old clients that send it are refused; code that names it does not compile. */
export const enumValueNoDelete: BreakingRule = {
  code: "enum-value-no-delete",
  find: ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).removed.map(({ name }) => ({
        effects: {
          ...(pair.direction === "request" && { wire: "error" }),
          "client-source": "error",
          "server-source": "error",
        },
        message: `value \`${name}\` of ${nameOf(pair.subjects.after)} is gone`,
        before: { kind: "member", type: pair.before.name, name },
        after: pair.subjects.after,
        path: pair.path,
        help: "keep it until nobody sends it",
      })),
    ),
};
