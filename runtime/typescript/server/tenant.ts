import { credentialIn, requiredOf } from "./model/credential-place.js";
import type { ServerRequest } from "./model/exchange.js";
import type { ServerMethod } from "./model/server-method.js";

/**
 * Returns the default tenant of a request: its first credential, or the client's
 * network if the call needs no credentials. Returns null if the client is in the
 * same process, and undefined if its address is unknown.
 *
 * Input: a request whose credentials have been verified.
 */
export function defaultTenant(
  method: ServerMethod,
  request: ServerRequest,
): string | null | undefined {
  const credential = firstCredential(method, request);
  if (credential !== null) return credential;
  if (request.isLocal === true) return null;
  const { address } = request;
  return address === null || address === undefined
    ? undefined
    : networkOf(address);
}

/**
 * Returns the first credential of a request, or null if the call needs none.
 *
 * Input: a request whose credentials have been verified.
 */
export function firstCredential(
  method: ServerMethod,
  request: ServerRequest,
): string | null {
  return allCredentials(method, request)[0] ?? null;
}

/** Returns all credentials of a request that were verified. */
export function allCredentials(
  { alternatives, credentials }: ServerMethod,
  request: ServerRequest,
): readonly (string | null)[] {
  const read = (name: string): string | null => request.header(name);
  return requiredOf(credentials, alternatives, read).map((rule) =>
    credentialIn(rule, read),
  );
}

/**
 * Returns the network that is treated as one client: an IPv4 address, or the
 * first 64 bits of an IPv6 address, because a connection usually gets all
 * addresses with this prefix.
 */
export function networkOf(address: string): string {
  const last = address.slice(address.lastIndexOf(":") + 1);
  // This also matches IPv4 addresses in IPv6 form.
  if (last.includes(".")) return last;
  const [head = [], tail = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeroCount = Math.max(0, 8 - head.length - tail.length);
  const zeros = Array<string>(zeroCount).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
