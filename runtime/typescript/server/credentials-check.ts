import type { RequestContext } from "./model/context.js";
import {
  credentialIn,
  describePlace,
  isInQuery,
} from "./model/credential-place.js";
import { type Eventually, follow } from "./model/eventually.js";
import { Refusal } from "./model/refusal.js";
import type { CredentialRule } from "./model/server-method.js";

/** A credential rule with the server's verifier. */
export interface CredentialCheck<State> extends CredentialRule {
  readonly verifier: (
    value: string | object,
    context: RequestContext<State>,
  ) => unknown;
}

/**
 * Returns why a request's credential is rejected, or null if it is accepted.
 *
 * Errors: any error from the verifier.
 */
export function checkCredential<State>(
  check: CredentialCheck<State>,
  context: RequestContext<State>,
): Eventually<Refusal | null> {
  const value = credentialIn(check, (name) => context.header(name));
  if (value === null) return new Refusal(check.error, describeMissing(check));
  const read = check.read === undefined ? value : check.read(value);
  if (read === null) return new Refusal(check.error, describeMalformed(check));
  // Accept only `true`, because verifiers may be untyped.
  return follow(check.verifier(read, context), (answer) =>
    answer === true ? null : new Refusal(check.error),
  );
}

function describeMissing(rule: CredentialRule): string {
  const isOne = rule.cookie !== undefined || isInQuery(rule);
  return `${describePlace(rule)}: expected ${isOne ? "one credential, got none or several" : "a credential, got nothing"}`;
}

/** The value is left out, because it may be a misspelled password. */
function describeMalformed(rule: CredentialRule): string {
  return `${describePlace(rule)}: expected the base64 form of a user name, a colon and a password`;
}
