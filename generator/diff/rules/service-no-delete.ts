import { breaksEveryone } from "../change.js";
import { findRename } from "../renames.js";
import type { BreakingRule } from "../rule.js";

/** The name of a service is part of the address of its methods. */
export const serviceNoDelete: BreakingRule = {
  code: "service-no-delete",
  find: ({ hosts, services: { removed, added } }) =>
    removed.map(({ service, subject }) => {
      const names = added.map((each) => each.service.name);
      const other = findRename(service.name, names);
      const host = hosts.kept.find(
        ({ before }) => before.name === subject.host,
      );
      return {
        effects: breaksEveryone,
        message: `service \`${service.name}\` is gone`,
        before: subject,
        after: host ? { kind: "host", host: host.after.name } : null,
        help:
          other === null
            ? "keep it, with its methods marked `@deprecated`, until nobody calls them"
            : `if it is called \`${other}\` now: its name is part of every address; keep the old one beside it`,
      };
    }),
};
