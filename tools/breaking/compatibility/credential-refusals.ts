import type {
  Contract,
  Credential,
  Method,
} from "../../../generator/ir/contract.js";
import {
  alternativesOf,
  credentialsOf,
  foldKey,
} from "../../../generator/ir/credentials-of.js";
import { byPlace, placeTitles } from "../../../generator/http/credentials.js";

/** A method and the contract that declares its credentials. */
export interface MethodOfContract {
  readonly method: Method;
  readonly contract: Contract;
}

/**
 * Returns the beginnings of the refusals that a change of a method's credentials
 * causes, as servers print them: of calls that the old contract accepted, or in
 * places that it did not read.
 */
export function credentialRefusals(
  before: MethodOfContract,
  after: MethodOfContract,
): readonly string[] {
  const given = listsOf(before);
  const accepted = listsOf(after);
  // Servers name what the first list lacks if a request contains no whole list.
  const [refused = []] = given;
  const [named = []] = accepted;
  const lost = given
    .filter((sent) => !isAccepted(sent, accepted))
    .map((sent) => named.find((each) => !isRead(each, sent)));
  return named
    .filter((each) => !isRead(each, refused) || lost.includes(each))
    .map(describeMissing);
}

type Credentials = readonly Credential[];

/** Returns the lists of credentials of which each call needs one. */
function listsOf({ contract, method }: MethodOfContract): Credentials[] {
  return alternativesOf(method).map((keys) =>
    credentialsOf({ credentials: keys }, contract),
  );
}

function isAccepted(
  sent: Credentials,
  accepted: readonly Credentials[],
): boolean {
  const places = new Set(accepted.flat().map(({ key }) => foldKey(key)));
  // What is in the place of a credential is never a call without credentials.
  const isUnknown = !sent.some(({ key }) => places.has(foldKey(key)));
  return accepted.some((needed) =>
    needed.length === 0
      ? isUnknown
      : needed.every((each) => isRead(each, sent)),
  );
}

/** Whether a server finds a credential in a call with the given ones. */
function isRead({ key, scheme }: Credential, sent: Credentials): boolean {
  return sent.some(
    (each) =>
      foldKey(each.key) === foldKey(key) &&
      (scheme === null || each.scheme?.toLowerCase() === scheme.toLowerCase()),
  );
}

/** Describes a missing credential as servers do. */
function describeMissing(credential: Credential): string {
  const { parameter, place, scheme } = credential;
  const after = scheme === null ? "" : ` with ${scheme}`;
  const count = byPlace(credential, {
    header: "a",
    query: "one",
    cookie: "one",
  });
  return `${placeTitles[place]} ${parameter}${after}: expected ${count} credential`;
}
