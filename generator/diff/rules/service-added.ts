import type { BreakingRule } from "../facts/rule.js";

/** Servers have to implement it, and have to be there before its clients. */
export const serviceAdded: BreakingRule = {
  code: "service-added",
  find: ({ services }) =>
    services.added
      .filter(({ service }) => service.direction === "inbound")
      .map(({ service, subject }) => ({
        effects: { "wire-strict": "note", "server-source": "note" },
        message: `service \`${service.name}\` is new`,
        before: null,
        after: subject,
        help: "release the server before clients that call it",
      })),
};
