import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/** The request header that this instance sets to the client's address. */
export const clientAddressHeader = "x-client-address";

/**
 * Stores the client's address in a header, or for IPv6, the address's /64
 * network. Overwrites any value that the client sent.
 *
 * Input: `proxyHeader` is the header that the proxy sets, e.g.
 * `x-forwarded-for`. The last address in it is the one that the proxy itself
 * saw. `proxyHeader` is null if there is no proxy.
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

/** Returns the last address of a header, or null if there is none. */
function lastAddress(value: string | readonly string[] = ""): string | null {
  const last = String(value).split(",").at(-1)?.trim() ?? "";
  // Some proxies add the client's port.
  const address = last.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/u, "$1$2");
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns the network whose addresses count as one client: a single IPv4
 * address, including one mapped to IPv6, or the 64-bit prefix of an IPv6
 * address.
 */
function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
