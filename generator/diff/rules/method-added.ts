import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Servers have to implement it, and have to be there before its clients. */
export const methodAdded: BreakingRule = {
  code: "method-added",
  find: ({ methods }) =>
    methods.added.map((placed) => ({
      effects: { "wire-strict": "note", "server-source": "note" },
      message: `method ${nameOfMethod(placed)} is new`,
      before: { ...placed.subject, kind: "service" },
      after: placed.subject,
      help: "release the server before clients that call it",
    })),
};
