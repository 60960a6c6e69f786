import {
  alternativesOf,
  credentialsOf,
  foldKey,
} from "../../../../generator/ir/credentials-of.js";
import { byPlace, headerOf } from "../../../../generator/http/credentials.js";
import { listNames } from "../../../../generator/diagnostics/names.js";
import type {
  Contract,
  Credential,
} from "../../../../generator/ir/contract.js";
import { methodsOf } from "../../../../generator/ir/methods-of.js";
import { breaksCode, type ChangeEffect } from "../facts/change.js";
import { nameOf } from "../facts/names.js";
import type {
  PairedContracts,
  PlacedMethod,
} from "../facts/paired-contracts.js";
import type { Pair } from "../facts/pairing.js";
import { type BreakingRules, keptMethod } from "../facts/rule.js";

/** Rules about the credentials of methods. */
export const credentialRules = {
  "method-credentials-no-add": keptMethod((pair, contracts) => {
    const { before, after } = pairLists(pair, contracts);
    const missing = findMissing(before, after);
    const isRequired = missing.length > 0;
    const added = isRequired ? missing : findOptional(after, before);
    const isNew = added.some((each) => !isNeeded(each, pair.before));
    return (
      added.length > 0 && {
        effects: {
          ...(isRequired && { wire: "error" }),
          // Browsers send cookies by themselves, also old ones.
          ...(!isRequired && added.some(isCookie) && { wire: "danger" }),
          "client-source": "danger",
          ...(isNew && { "server-source": "error" }),
        },
        message: `${nameOf(pair.after.subject)} now ${isRequired ? "requires" : "accepts"} ${listNames(added.map(({ name }) => name))}`,
        help: isRequired
          ? "accept calls without it, with `none`, until all clients send it"
          : "handle callers with and without it",
      }
    );
  }),

  "method-credentials-no-delete": keptMethod((pair, contracts) => {
    const { before, after } = pairLists(pair, contracts);
    const missing = findMissing(after, before);
    const wasRequired = missing.length > 0;
    const removed = wasRequired ? missing : findOptional(before, after);
    const isGone = removed.some((each) => !isNeeded(each, pair.after));
    const isVerified = credentialsWithout(removed, after.flat()).length === 0;
    // A new alternative needs a verifier.
    const hasNew = after.flat().some((each) => !isNeeded(each, pair.before));
    return (
      removed.length > 0 && {
        effects: {
          // Handlers may need what the verifier stored in the context.
          ...(!isVerified && { wire: "danger" }),
          ...(wasRequired && { "wire-strict": "error" }),
          "server-source": hasNew ? "error" : "danger",
          ...(!keepsErrors(pair, removed) && { "client-source": "error" }),
          ...(isGone && breaksCode),
        },
        message: `${nameOf(pair.after.subject)} no longer ${wasRequired ? "requires" : "accepts"} ${listNames(removed.map(({ name }) => name))}`,
        help: wasRequired
          ? "if this is intended, release the server before clients that do not send it"
          : "if this is intended, make sure that handlers do not need it",
      }
    );
  }),

  "credential-same-header": (contracts) =>
    contracts.methods.kept.flatMap((method) => {
      const { before, after } = pairCredentials(method, contracts);
      return after.flatMap((now): readonly ChangeEffect[] => {
        const then = before.find(({ name }) => name === now.name);
        const isSame = (one: typeof now) => printPlace(one) === printPlace(now);
        if (then === undefined || before.some(isSame)) return [];
        return [
          {
            effects: { wire: "error", "wire-strict": "error" },
            message: `\`${now.name}\` was sent as \`${printPlace(then)}\` and is now \`${printPlace(now)}\``,
            before: { kind: "type", name: then.name },
            after: { kind: "type", name: now.name },
            help: "declare a credential with another name for the new header",
          },
        ];
      });
    }),

  // Clients use the error of a credential to ask users to sign in again.
  "credential-same-error": (contracts) =>
    [errorsChanged, orderChanged].flatMap((find) => find(contracts)),
} satisfies BreakingRules;

const errorsChanged = (contracts: PairedContracts): readonly ChangeEffect[] =>
  contracts.methods.kept.flatMap((method) =>
    pairByPlace(pairCredentials(method, contracts))
      .filter(({ before, after }) => before.error !== after.error)
      .map(({ before, after }) => ({
        effects: {
          wire: "error",
          "wire-strict": "error",
          ...(!keepsErrors(method, [before]) && { "client-source": "error" }),
        },
        message: `a call without \`${after.name}\` failed with \`${before.error}\` and now fails with \`${after.error}\``,
        before: { kind: "type", name: before.name },
        after: { kind: "type", name: after.name },
        help: "keep the error",
      })),
  );

/** The first missing credential determines the error. */
const orderChanged = keptMethod((method, contracts) => {
  const credentials = pairCredentials(method, contracts);
  const { before, after } = credentials;
  const then = pairByPlace(credentials).map((pair) => pair.after);
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
    // A changed error is a separate finding.
    first.name === firstNow.name;
  return (
    then.length > 0 &&
    !(isSame && isFirst) && {
      effects: { wire: "error", "wire-strict": "error" },
      message: `${nameOf(method.after.subject)} now checks ${listNames(after.map(({ name }) => name))} ${after.length > 1 ? "in this order" : "first"}`,
      help: "keep the order: the first missing credential determines the error",
    }
  );
});

/** Pairs the credentials of a method, in the order they are checked. */
function pairCredentials(
  { before, after }: Pair<PlacedMethod>,
  contracts: PairedContracts,
): Pair<readonly Credential[]> {
  return {
    before: credentialsOf(before.method, contracts.before),
    after: credentialsOf(after.method, contracts.after),
  };
}

const isCookie = (credential: Credential): boolean =>
  byPlace(credential, { header: false, query: false, cookie: true });

type Alternatives = readonly (readonly Credential[])[];

/** Pairs the lists of credentials of which each call needs one. */
function pairLists(
  { before, after }: Pair<PlacedMethod>,
  contracts: PairedContracts,
): Pair<Alternatives> {
  const listsOf = (
    { method }: PlacedMethod,
    contract: Contract,
  ): Alternatives =>
    alternativesOf(method).map((keys) =>
      credentialsOf({ credentials: keys }, contract),
    );
  return {
    before: listsOf(before, contracts.before),
    after: listsOf(after, contracts.after),
  };
}

/**
 * Returns the credentials that a call with one of the given lists lacks, or none
 * if each of these calls is accepted.
 */
function findMissing(
  given: Alternatives,
  accepted: Alternatives,
): readonly Credential[] {
  const places = new Set(accepted.flat().map(({ key }) => foldKey(key)));
  for (const sent of given) {
    // Servers reject what is in the place of a credential, whatever its scheme is.
    const isUnknown = !sent.some(({ key }) => places.has(foldKey(key)));
    // A call that contains a part of a list is not one without credentials.
    const lists = accepted.filter((needed) => needed.length > 0 || isUnknown);
    const missing = lists.map((needed) => credentialsWithout(needed, sent));
    const isAccepted = missing.some(({ length }) => length === 0);
    if (!isAccepted) return missing[0] ?? [];
  }
  return [];
}

/**
 * Returns the credentials in some lists that the others do not name, if the others
 * accept calls without any.
 */
function findOptional(
  some: Alternatives,
  others: Alternatives,
): readonly Credential[] {
  const isOptional = others.some(({ length }) => length === 0);
  const known = others.flat();
  return isOptional ? [...new Set(credentialsWithout(some.flat(), known))] : [];
}

/** Pairs the credentials that are sent the same way in both contracts. */
function pairByPlace({
  before,
  after,
}: Pair<readonly Credential[]>): readonly Pair<Credential>[] {
  return before.flatMap((then) => {
    const now = after.find((each) => printPlace(each) === printPlace(then));
    return now === undefined ? [] : [{ before: then, after: now }];
  });
}

/** Whether a method still has the errors of its old credentials. */
function keepsErrors(
  { after: { method } }: Pair<PlacedMethod>,
  had: readonly Credential[],
): boolean {
  const { errors } = method;
  return errors === null || had.every(({ error }) => errors.includes(error));
}

/**
 * Prints where a credential is sent, e.g. `authorization: bearer …` or
 * `?api_key=…`. Names of headers are in lower case.
 */
function printPlace(credential: Credential): string {
  const header = headerOf(credential);
  if (header === null) return `${credential.key}=…`;
  const { name, prefix } = header;
  const isScheme = credential.scheme !== null;
  return `${name.toLowerCase()}: ${isScheme ? prefix.toLowerCase() : prefix}…`;
}

/**
 * Returns the credentials that share neither a name nor a header with one in
 * the other list.
 */
function credentialsWithout(
  some: readonly Credential[],
  others: readonly Credential[],
): readonly Credential[] {
  return some.filter(
    (one) =>
      !others.some(
        (other) =>
          other.name === one.name || printPlace(other) === printPlace(one),
      ),
  );
}

/**
 * Whether any method of the host requires the credential, so that code of its
 * clients and servers refers to it.
 */
function isNeeded({ key }: Credential, { host }: PlacedMethod): boolean {
  return methodsOf(host.services).some(({ credentials }) =>
    credentials.includes(key),
  );
}
