import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";

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
  return isIPv4(last) || isIPv6(last) ? last : null;
}

/**
 * The network whose addresses count as one client: IPv4 addresses alone, also
 * those that IPv6 carries, and of IPv6 the 64 bits that a connection has.
 */
function networkOf(address: string): string {
  const [, carried] = /^::ffff:([0-9.]+)$/iu.exec(address) ?? [];
  if (carried !== undefined) return carried;
  if (!isIPv6(address)) return address;
  const [start = "", end] = address.toLowerCase().split("::");
  const groups = start.split(":").filter((group) => group !== "");
  if (end === undefined)
    return `${groups.slice(0, 4).map(shorten).join(":")}::`;
  const rest = end.split(":").filter((group) => group !== "");
  const zeros = Array<string>(8 - groups.length - rest.length).fill("0");
  const all = [...groups, ...zeros, ...rest];
  return `${all.slice(0, 4).map(shorten).join(":")}::`;
}

/** `00a1` is `a1`. */
function shorten(group: string): string {
  return group.replace(/^0+(?=.)/u, "");
}
