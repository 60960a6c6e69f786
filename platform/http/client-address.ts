import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/** Which header of a request this instance keeps the address in. */
export const clientAddressHeader = "x-client-address";

/**
 * Notes whose request it is, whatever the client itself says of that.
 *
 * Input: `proxyHeader` is what the proxy in front writes, e.g.
 * `x-forwarded-for`; its last address counts, which is the one that the proxy
 * has seen itself. null: no proxy is in front.
 */
export function noteClientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  proxyHeader: string | null,
): void {
  const address = lastAddress(proxyHeader === null ? "" : headers[proxyHeader]);
  headers[clientAddressHeader] = networkOf(
    address ?? socket.remoteAddress ?? "",
  );
}

/** null: there is none. */
function lastAddress(value: string | readonly string[] = ""): string | null {
  const last = String(value).split(",").at(-1)?.trim() ?? "";
  return isIP(last) === 0 ? null : last;
}

/**
 * The network whose addresses count as one client: IPv4 addresses alone, also
 * those that IPv6 carries, and of IPv6 the 64 bits that a connection has.
 */
function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
