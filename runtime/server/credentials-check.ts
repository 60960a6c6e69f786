import type { RequestContext } from "./model/context.js";
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
  const value = credentialIn(context.header(check.header), check.scheme);
  if (value === null) return new Refusal(check.error, describeMissing(check));
  const read = check.read === undefined ? value : check.read(value);
  if (read === null) return new Refusal(check.error, describeMalformed(check));
  // Accept only `true`, because verifiers may be untyped.
  return follow(check.verifier(read, context), (answer) =>
    answer === true ? null : new Refusal(check.error),
  );
}

/**
 * Returns the value after the scheme, or null if the header, scheme, or value
 * is missing.
 */
export function credentialIn(
  header: string | null,
  scheme: string | null,
): string | null {
  if (header === null) return null;
  const text = header.trim();
  if (scheme === null) return text === "" ? null : text;
  const prefix = text.slice(0, scheme.length + 1).toLowerCase();
  if (prefix !== `${scheme.toLowerCase()} `) return null;
  return text.slice(prefix.length).trim();
}

function describeMissing(rule: CredentialRule): string {
  return `${describeRule(rule)}: expected a credential, got nothing`;
}

/** The value is left out, because it may be a misspelled password. */
function describeMalformed(rule: CredentialRule): string {
  return `${describeRule(rule)}: expected the base64 form of a user name, a colon and a password`;
}

function describeRule({ header, scheme }: CredentialRule): string {
  return `header ${header}${scheme === null ? "" : ` with ${scheme}`}`;
}
