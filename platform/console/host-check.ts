import type { ServerResponse } from "node:http";
import { isIP } from "node:net";

import { toEnvelope } from "@ridlkit/runtime/errors";

import { PermissionDeniedError } from "../../generated/errors.js";

/**
 * Returns a check of the header `Host`. A page of another origin can have its own
 * name resolve to the address of the console (DNS rebinding), and is then of the
 * same origin for its browser. So only names that belong to the console count,
 * besides IP addresses, which no name server can redirect.
 *
 * Input: names without ports, e.g. `console.example.com`.
 */
export function createHostCheck(
  names: readonly string[],
): (header: string | undefined) => boolean {
  const known = new Set(["localhost", ...names.map(toLowerCase)]);
  return (header = "") => {
    const name = header.replace(/:\d*$/u, "").toLowerCase();
    const address = /^\[(.*)\]$/u.exec(name)?.[1] ?? name;
    return isIP(address) !== 0 || known.has(name);
  };
}

/** Answers a request that names a host which is not the console's. */
export function refuseHost(header: string, response: ServerResponse): void {
  const cause = `Host: the console does not answer as ${JSON.stringify(header)}; add its name to adminNames in the settings`;
  const envelope = toEnvelope(new PermissionDeniedError({ cause }));
  response.writeHead(envelope.status, { "content-type": "application/json" });
  response.end(JSON.stringify(envelope));
}

function toLowerCase(name: string): string {
  return name.toLowerCase();
}
