import { breaksCode } from "../facts/change.js";
import type { BreakingRule } from "../facts/rule.js";

/** Receivers of webhooks do not see it, and code does. */
export const serviceSameName: BreakingRule = {
  code: "service-same-name",
  find: ({ services }) =>
    services.kept
      .filter(({ before, after }) => before.service.name !== after.service.name)
      .map(({ before, after }) => ({
        effects: breaksCode,
        message: `service \`${before.service.name}\` was renamed to \`${after.service.name}\``,
        before: before.subject,
        after: after.subject,
        help: "keep its name: generated functions are named after it",
      })),
};
