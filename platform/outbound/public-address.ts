import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/**
 * The range of public IPv6 addresses. It excludes loopback, link-local, and
 * unique local addresses.
 */
const global6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Public addresses at which clouds serve their virtual machines' metadata, e.g.
 * Azure. The others are in private ranges.
 */
const metadataAddresses = ["168.63.129.16"];

/**
 * Prefixes of IPv6 addresses that embed an IPv4 address, and the offset of the
 * embedded address.
 */
const embeddedFormats = [
  { prefix: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), start: 12 }, // NAT64
  { prefix: ipaddr.IPv6.parseCIDR("2002::/16"), start: 2 }, // 6to4
];

/**
 * Returns whether an IP address is a public internet address. If an IPv6
 * address embeds an IPv4 address, checks the embedded one.
 */
export function isPublicAddress(address: string): boolean {
  // Short forms of IPv4 addresses are treated as names. Zones only exist in
  // local networks.
  if (isIP(address) === 0 || address.includes("%")) return false;
  // ipaddr.js treats IPv4-compatible addresses (RFC 4291) as mapped ones.
  if (/^::[0-9.]+$/u.test(address)) return false;
  return isPublic(ipaddr.process(address));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) {
    const isMetadata = metadataAddresses.includes(address.toString());
    return address.range() === "unicast" && !isMetadata;
  }
  const carrier = embeddedFormats.find(({ prefix }) => address.match(prefix));
  if (carrier === undefined) {
    return address.range() === "unicast" && address.match(global6);
  }
  const { start } = carrier;
  const carried = address.toByteArray().slice(start, start + 4);
  return isPublic(new ipaddr.IPv4(carried));
}
