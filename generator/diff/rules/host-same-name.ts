import { breaksCode } from "../facts/change.js";
import type { BreakingRule } from "../facts/rule.js";

/** Functions that make its server and its clients are called after it. */
export const hostSameName: BreakingRule = {
  code: "host-same-name",
  find: ({ hosts }) =>
    hosts.kept
      .filter(({ before, after }) => before.name !== after.name)
      .map(({ before, after }) => ({
        effects: breaksCode,
        message: `host \`${before.name}\` was renamed to \`${after.name}\``,
        before: { kind: "host", host: before.name },
        after: { kind: "host", host: after.name },
        help: "keep its name: generated functions are named after it",
      })),
};
