import type { Verb } from "./contract.js";

/** Whether a response with this status has no body (RFC 9110, section 15.3). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205;
}

/** Whether requests with a verb only read, so that they have no body. */
export function isReadVerb(verb: Verb): boolean {
  return verb === "GET" || verb === "HEAD";
}
