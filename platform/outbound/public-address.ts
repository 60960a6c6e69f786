import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/** Addresses of the internet; loopback, link-local and ULA are others. */
const global6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Prefixes before an IPv4 address, and how many bytes are before that. */
const carriers = [
  { prefix: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), start: 12 }, // NAT64
  { prefix: ipaddr.IPv6.parseCIDR("2002::/16"), start: 2 }, // 6to4
];

/**
 * Whether an IP address is of a computer on the internet, not of this one or
 * of a network around it, also where IPv6 carries it as an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  // Short forms of IPv4 count as names; zones are of a network around.
  if (isIP(address) === 0 || address.includes("%")) return false;
  // IPv4-compatible addresses (RFC 4291), which ipaddr.js takes for mapped ones.
  if (/^::[0-9.]+$/u.test(address)) return false;
  return isPublic(ipaddr.process(address));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  const carrier = carriers.find(({ prefix }) => address.match(prefix));
  if (carrier === undefined) {
    return address.range() === "unicast" && address.match(global6);
  }
  const { start } = carrier;
  const carried = address.toByteArray().slice(start, start + 4);
  return isPublic(new ipaddr.IPv4(carried));
}
