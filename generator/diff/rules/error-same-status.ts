import type { BreakingRule } from "../facts/rule.js";

/** Proxies, caches and retries go by the HTTP status. */
export const errorSameStatus: BreakingRule = {
  code: "error-same-status",
  find: ({ errors }) =>
    errors.kept
      .filter(({ before, after }) => before.status !== after.status)
      .map(({ before, after }) => ({
        effects: { wire: "danger", "wire-strict": "danger" },
        message: `error \`${after.name}\` was HTTP ${before.status}, and is now HTTP ${after.status}`,
        before: { kind: "error", name: before.name },
        after: { kind: "error", name: after.name },
        help: "clients, proxies and caches may treat the new status differently",
      })),
};
