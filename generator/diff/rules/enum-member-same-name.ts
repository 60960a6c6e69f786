import { breaksCode } from "../facts/change.js";
import { pairMembers } from "../facts/members.js";
import type { BreakingRule } from "../facts/rule.js";

/** Code names members, whatever their values are. */
export const enumMemberSameName: BreakingRule = {
  code: "enum-member-same-name",
  find: ({ types }) =>
    types.kept.flatMap(({ before, after }) => {
      if (before.kind !== "enum" || after.kind !== "enum") return [];
      return pairMembers({ before, after })
        .kept.filter((member) => member.before.name !== member.after.name)
        .map((member) => ({
          effects: breaksCode,
          message: `\`${before.name}.${member.before.name}\` was renamed to \`${member.after.name}\``,
          before: {
            kind: "member",
            type: before.name,
            name: member.before.name,
          },
          after: { kind: "member", type: after.name, name: member.after.name },
          help: "keep the name: only the value is on the wire",
        }));
    }),
};
