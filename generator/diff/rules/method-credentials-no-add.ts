import {
  credentialsWithout,
  isNeeded,
  pairCredentials,
} from "../facts/credentials.js";
import { listNames, nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Clients that do not know of a credential are refused. */
export const methodCredentialsNoAdd: BreakingRule = {
  code: "method-credentials-no-add",
  find: (contracts) =>
    contracts.methods.kept.flatMap((pair) => {
      const { before, after } = pairCredentials(pair, contracts);
      const added = credentialsWithout(after, before);
      if (added.length === 0) return [];
      const isNew = added.some((each) => !isNeeded(each, contracts.before));
      return [
        {
          effects: {
            wire: "error",
            "client-source": "danger",
            ...(isNew && { "server-source": "error" }),
          },
          message: `${nameOfMethod(pair.after)} now requires ${listNames(added.map(({ name }) => name))}`,
          before: pair.before.subject,
          after: pair.after.subject,
          help: "accept calls without it until all clients send it",
        },
      ];
    }),
};
