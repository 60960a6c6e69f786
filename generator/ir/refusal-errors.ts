import type { Contract, Host, Method } from "./contract.js";

/** The error for invalid requests, if a host's documents have it. */
export const invalidRequestError = "InvalidArgument";

/**
 * Returns the declared errors that a server returns without calling the
 * handler: errors for missing or rejected credentials and for invalid requests.
 */
export function refusalErrors(
  { credentials, request }: Pick<Method, "credentials" | "request">,
  contract: Pick<Contract, "credentials">,
  { validationError }: Pick<Host, "validationError">,
): readonly string[] {
  const refused = contract.credentials
    .filter(({ header }) => credentials.includes(header))
    .map(({ error }) => error);
  const isDeclared = validationError === invalidRequestError;
  const mayBeInvalid = isDeclared && request.fields.length > 0;
  return [...refused, ...(mayBeInvalid ? [validationError] : [])];
}
