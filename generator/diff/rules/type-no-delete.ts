import { breaksCode } from "../facts/change.js";
import { findRename } from "../facts/renames.js";
import type { BreakingRule } from "../facts/rule.js";

/** Code that imports the type does not compile. */
export const typeNoDelete: BreakingRule = {
  code: "type-no-delete",
  find: ({ types: { removed, added } }) =>
    removed.map(({ kind, name }) => {
      const names = added
        .filter((each) => each.kind === kind)
        .map((each) => each.name);
      const other = findRename(name, names);
      return {
        effects: breaksCode,
        message: `${kind} \`${name}\` was removed`,
        before: { kind: "type", name },
        after: other === null ? null : { kind: "type", name: other },
        help:
          other === null
            ? "update the code that imports it"
            : `if it was renamed to \`${other}\`, update the code that imports it`,
      };
    }),
};
