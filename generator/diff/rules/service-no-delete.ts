import { findRename } from "../renames.js";
import type { BreakingRule } from "../rule.js";

/** The name of a service is part of the address of its methods. */
export const serviceNoDelete: BreakingRule = {
  code: "service-no-delete",
  find: ({ services: { removed, added } }) =>
    removed.map(({ service, subject }) => {
      const names = added.map((each) => each.service.name);
      const other = findRename(service.name, names);
      return {
        effects: {
          wire: "error",
          "wire-strict": "error",
          "client-source": "error",
          "server-source": "error",
        },
        message: `service \`${service.name}\` is gone`,
        before: subject,
        after: { kind: "host", host: subject.host },
        help:
          other === null
            ? "keep it, with its methods marked `@deprecated`, until nobody calls them"
            : `if it is called \`${other}\` now: its name is part of every address; keep the old one beside it`,
      };
    }),
};
