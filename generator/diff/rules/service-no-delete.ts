import type { Method } from "../../ir/contract.js";
import { breaksCallers, breaksCode, breaksReceivers } from "../facts/change.js";
import { findRename } from "../facts/renames.js";
import type { BreakingRule } from "../facts/rule.js";

/** The name of a service is part of the address of its methods. */
export const serviceNoDelete: BreakingRule = {
  code: "service-no-delete",
  find: ({ hosts, methods, services: { removed, added } }) =>
    removed.map(({ service, subject }) => {
      const isKept = (method: Method): boolean =>
        methods.kept.some(({ before }) => before.method === method);
      const names = added.map((each) => each.service.name);
      const other = findRename(service.name, names);
      const host = hosts.kept.find(
        ({ before }) => before.name === subject.host,
      );
      return {
        effects: service.methods.every(isKept)
          ? breaksCode
          : service.direction === "outbound"
            ? breaksReceivers
            : breaksCallers,
        message: `service \`${service.name}\` was removed`,
        before: subject,
        after: host ? { kind: "host", host: host.after.name } : null,
        help:
          other === null
            ? "keep it, with its methods marked `@deprecated`, until nobody calls them"
            : `if it was renamed to \`${other}\`, keep the old name beside it: it is part of every address`,
      };
    }),
};
