import type { Credential } from "../../ir/contract.js";
import type { ChangeEffect } from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import {
  keepsErrors,
  pairCredentials,
  printHeader,
} from "../facts/credentials.js";
import { listNames, nameOfMethod } from "../facts/names.js";
import type { Pair } from "../facts/pairing.js";
import type { BreakingRule } from "../facts/rule.js";

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
        ...pairs.flatMap((pair) => findOtherError(method, pair)),
        ...findOtherOrder(method, { before, after }, pairs),
      ];
    }),
};

function findOtherError(
  method: Pair<PlacedMethod>,
  { before, after }: Pair<Credential>,
): readonly ChangeEffect[] {
  if (before.error === after.error) return [];
  const losesError = !keepsErrors(method, [before]);
  return [
    {
      effects: {
        wire: "error",
        "wire-strict": "error",
        ...(losesError && { "client-source": "error" }),
      },
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
  { before, after }: Pair<readonly Credential[]>,
  pairs: readonly Pair<Credential>[],
): readonly ChangeEffect[] {
  const then = pairs.map((pair) => pair.after);
  const order = after.filter((credential) => then.includes(credential));
  const isSame = then.every(
    ({ error }, place) => error === order[place]?.error,
  );
  const [first] = before;
  const [firstNow] = after;
  const isFirst =
    !first ||
    !firstNow ||
    first.error === firstNow.error ||
    // Then its error is another one, which is a finding of its own.
    first.name === firstNow.name;
  if (pairs.length === 0 || (isSame && isFirst)) return [];
  return [
    {
      effects: { wire: "error", "wire-strict": "error" },
      message: `${nameOfMethod(method.after)} now checks ${listNames(after.map(({ name }) => name))} in this order`,
      before: method.before.subject,
      after: method.after.subject,
      help: "keep the order: the first missing credential determines the error",
    },
  ];
}
