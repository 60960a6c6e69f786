import { findRename } from "../renames.js";
import type { BreakingRule } from "../rule.js";

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
        effects: { "client-source": "error", "server-source": "error" },
        message: `${kind} \`${name}\` is gone`,
        before: { kind: "type", name },
        after: other === null ? null : { kind: "type", name: other },
        help:
          other === null
            ? "code that imports it has to be changed"
            : `if it is called \`${other}\` now, code that imports it has to be changed`,
      };
    }),
};
