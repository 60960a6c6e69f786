import {
  credentialsWithout,
  isNeeded,
  keepsErrors,
  pairCredentials,
} from "../facts/credentials.js";
import { listNames, nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** New clients no longer send what an old server needs. */
export const methodCredentialsNoDelete: BreakingRule = {
  code: "method-credentials-no-delete",
  find: (contracts) =>
    contracts.methods.kept.flatMap((pair) => {
      const { before, after } = pairCredentials(pair, contracts);
      const removed = credentialsWithout(before, after);
      if (removed.length === 0) return [];
      const isGone = removed.some((each) => !isNeeded(each, contracts.after));
      const losesError = !keepsErrors(pair, removed);
      return [
        {
          effects: {
            "wire-strict": "error",
            ...((isGone || losesError) && { "client-source": "error" }),
            ...(isGone && { "server-source": "error" }),
          },
          message: `${nameOfMethod(pair.after)} no longer requires ${listNames(removed.map(({ name }) => name))}`,
          before: pair.before.subject,
          after: pair.after.subject,
          help: "release the server before clients that do not send it",
        },
      ];
    }),
};
