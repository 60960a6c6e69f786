import type { ServerResponse } from "node:http";
import { isIP } from "node:net";

import { toEnvelope } from "@ridlkit/runtime/errors";

import { PermissionDeniedError } from "../../generated/errors.js";

/**
 * Returns a check of the `Host` header that prevents DNS rebinding. In such an
 * attack, a page makes its own host name resolve to the console's address, so
 * that the browser treats the console as the same origin. The check therefore
 * accepts only the console's own names, and IP addresses, which no name server
 * can redirect.
 *
 * Input: names without ports, e.g. `console.example.com`.
 */
export function createHostCheck(
  names: readonly string[],
): (header: string | undefined) => boolean {
  const known = new Set([
    "localhost",
    ...names.map((name) => name.toLowerCase()),
  ]);
  return (header = "") => {
    const name = header.replace(/:\d*$/u, "").toLowerCase();
    const address = /^\[(.*)\]$/u.exec(name)?.[1] ?? name;
    return isIP(address) !== 0 || known.has(name);
  };
}

/** Rejects a request whose host is not one of the console's names. */
export function refuseHost(header: string, response: ServerResponse): void {
  const cause = `Host: the console does not accept the name ${JSON.stringify(header)}; add it to adminNames in the settings`;
  const envelope = toEnvelope(new PermissionDeniedError({ cause }));
  response.writeHead(envelope.status, { "content-type": "application/json" });
  response.end(JSON.stringify(envelope));
}
