import type { Contract, Method } from "./contract.js";

/** The error for invalid requests, if the contract declares it. */
export const invalidRequestError = "InvalidArgument";

/**
 * Returns the declared errors that a server returns without calling the
 * handler: errors for missing or rejected credentials and for invalid requests.
 */
export function refusalErrors(
  { credentials, request }: Pick<Method, "credentials" | "request">,
  contract: Pick<Contract, "credentials" | "errors" | "validationError">,
): readonly string[] {
  const refused = contract.credentials
    .filter(({ header }) => credentials.includes(header))
    .map(({ error }) => error);
  const invalid = contract.errors
    .filter(({ name }) => name === contract.validationError)
    .map(({ name }) => name);
  return [...refused, ...(request.fields.length > 0 ? invalid : [])];
}
