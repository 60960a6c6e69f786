import { neededCredentials } from "./credentials-of.js";
import type { Contract, Host, Method } from "./contract.js";

/** The error for invalid requests, if a host's documents have it. */
export const invalidRequestError = "InvalidArgument";

/**
 * Returns the declared errors that a server returns without calling the
 * handler: errors for missing or rejected credentials and for invalid requests.
 */
export function refusalErrors(
  method: Pick<Method, "credentials" | "request">,
  contract: Pick<Contract, "credentials">,
  { validationError }: Pick<Host, "validationError">,
): readonly string[] {
  const refused = neededCredentials([method], contract).map(
    ({ error }) => error,
  );
  const isDeclared = validationError === invalidRequestError;
  const mayBeInvalid = isDeclared && method.request.fields.length > 0;
  return [...refused, ...(mayBeInvalid ? [validationError] : [])];
}
