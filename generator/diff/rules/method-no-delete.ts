import { breaksCallers, breaksReceivers } from "../facts/change.js";
import { nameOfMethod } from "../facts/names.js";
import { findRename } from "../facts/renames.js";
import type { BreakingRule } from "../facts/rule.js";

/** Clients that call the method get a 404. */
export const methodNoDelete: BreakingRule = {
  code: "method-no-delete",
  find: ({ methods: { removed, added } }) =>
    removed.map((placed) => {
      const { method, subject } = placed;
      const names = added
        .filter((each) => each.method.service === method.service)
        .map((each) => each.method.name);
      const other = findRename(method.name, names);
      return {
        effects:
          method.route.kind === "webhook" ? breaksReceivers : breaksCallers,
        message: `method ${nameOfMethod(placed)} was removed`,
        before: subject,
        after: { ...subject, kind: "service" },
        help:
          other === null
            ? "keep it, marked `@deprecated`, until nobody calls it"
            : `if it was renamed to \`${other}\`, keep \`${method.name}\` beside it, marked \`@deprecated\``,
      };
    }),
};
