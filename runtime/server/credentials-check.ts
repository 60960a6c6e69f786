import type { RequestContext } from "./context.js";
import { RpcError } from "../errors.js";
import type { CredentialRule } from "./server-method.js";

/** A credential rule with the host's verifier. */
export interface CredentialCheck<State> extends CredentialRule {
  readonly judge: (value: string, context: RequestContext<State>) => unknown;
}

/**
 * Checks the credentials of a request one after the other.
 *
 * Errors: the first one's own error when it is missing or refused; whatever a
 * verifier throws.
 */
export async function assertCredentials<State>(
  checks: readonly CredentialCheck<State>[],
  context: RequestContext<State>,
): Promise<void> {
  for (const check of checks) {
    const value = credentialIn(context.header(check.header), check.scheme);
    if (value === null) {
      throw new RpcError(check.error, { cause: describeMissing(check) });
    }
    // Nothing but `true` opens the door, whatever untyped verifiers return.
    if ((await check.judge(value, context)) !== true) {
      throw new RpcError(check.error);
    }
  }
}

/** The value after the scheme; null when header, scheme or value is missing. */
export function credentialIn(
  header: string | null,
  scheme: string | null,
): string | null {
  if (header === null) return null;
  const text = header.trim();
  if (scheme === null) return text === "" ? null : text;
  const prefix = text.slice(0, scheme.length + 1).toLowerCase();
  if (prefix !== `${scheme.toLowerCase()} `) return null;
  const value = text.slice(scheme.length + 1).trim();
  return value === "" ? null : value;
}

function describeMissing(rule: CredentialRule): string {
  const scheme = rule.scheme === null ? "" : ` with ${rule.scheme}`;
  return `header ${rule.header}${scheme}: expected a credential, got nothing`;
}
