import type { Credential } from "../../ir/contract.js";
import type { ChangeEffect } from "../change.js";
import type { PlacedMethod } from "../paired-contracts.js";
import { pairCredentials, printHeader } from "../credentials.js";
import { listNames, nameOfMethod } from "../names.js";
import type { Pair } from "../pairing.js";
import type { BreakingRule } from "../rule.js";

/** Clients ask people to sign in again by the error of a credential. */
export const credentialSameError: BreakingRule = {
  code: "credential-same-error",
  find: (contracts) =>
    contracts.methods.kept.flatMap((method) => {
      const { before, after } = pairCredentials(method, contracts);
      const pairs = before.flatMap((then) => {
        const now = after.find(
          (each) => printHeader(each) === printHeader(then),
        );
        return now === undefined ? [] : [{ before: then, after: now }];
      });
      return [
        ...pairs.flatMap(findOtherError),
        ...findOtherOrder(method, pairs, after),
      ];
    }),
};

function findOtherError({
  before,
  after,
}: Pair<Credential>): readonly ChangeEffect[] {
  if (before.error === after.error) return [];
  return [
    {
      effects: { wire: "error", "wire-strict": "error" },
      message: `a call without \`${after.name}\` was answered with \`${before.error}\`, and is now answered with \`${after.error}\``,
      before: { kind: "type", name: before.name },
      after: { kind: "type", name: after.name },
      help: "keep the error",
    },
  ];
}

/** The first credential that is missing decides on the error. */
function findOtherOrder(
  method: Pair<PlacedMethod>,
  pairs: readonly Pair<Credential>[],
  now: readonly Credential[],
): readonly ChangeEffect[] {
  const then = pairs.map(({ after }) => after);
  const order = now.filter((credential) => then.includes(credential));
  const isSame = then.every(
    ({ error }, place) => error === order[place]?.error,
  );
  if (isSame) return [];
  return [
    {
      effects: { wire: "error", "wire-strict": "error" },
      message: `${nameOfMethod(method.after)} checks ${listNames(order.map(({ name }) => name))} in a different order now`,
      before: method.before.subject,
      after: method.after.subject,
      help: "keep the order: the first missing credential determines the error",
    },
  ];
}
