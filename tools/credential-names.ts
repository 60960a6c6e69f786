import { headerOf } from "../generator/http/credentials.js";
import type { Credential } from "../generator/ir/contract.js";

/**
 * Returns the header that carries a credential, in lower case, or the key of a
 * credential in the query, e.g. `?api_key`.
 */
export function sentNameOf(credential: Credential): string {
  return headerOf(credential)?.name.toLowerCase() ?? credential.key;
}

/** Returns the environment variable for a header, e.g. `RIDL_X_ACCESS_KEY`. */
export function variableOf(header: string): string {
  return `RIDL_${header.toUpperCase().replace(/[^A-Z0-9]/gu, "_")}`;
}
