import { breaksCode } from "../facts/change.js";
import type { BreakingRule } from "../facts/rule.js";

/** Code that uses a struct as a struct does not compile with an enum. */
export const typeSameKind: BreakingRule = {
  code: "type-same-kind",
  find: ({ types }) =>
    types.kept
      .filter(({ before, after }) => before.kind !== after.kind)
      .map(({ before, after }) => ({
        effects: breaksCode,
        message: `\`${after.name}\` was a declaration of kind \`${before.kind}\`, and is now of kind \`${after.kind}\``,
        before: { kind: "type", name: before.name },
        after: { kind: "type", name: after.name },
        help: "declare the new type under another name",
      })),
};
