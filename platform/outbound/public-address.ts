import { BlockList, isIP } from "node:net";

/** IPv4 addresses that are not of one computer on the internet (RFC 6890). */
const special4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this network; unspecified
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // behind the NAT of a carrier
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local; metadata services of clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved; broadcast
];

/** IPv6 addresses that may be of one; loopback, link-local, ULA are others. */
const global6: readonly (readonly [string, number])[] = [
  ["2000::", 3],
  ["::ffff:0:0", 96], // IPv4 in IPv6
  ["64:ff9b::", 96], // IPv4 behind NAT64
];

/** Those among them that are not. */
const special6: readonly (readonly [string, number])[] = [
  ["2001::", 23], // protocol assignments; Teredo
  ["2001:db8::", 32], // documentation
  ["3fff::", 20], // documentation
];

const reachable = new BlockList();
const refused = new BlockList();
for (const [start, bits] of global6) reachable.addSubnet(start, bits, "ipv6");
for (const [start, bits] of special6) refused.addSubnet(start, bits, "ipv6");
for (const [start, bits] of special4) {
  refused.addSubnet(start, bits, "ipv4");
  refused.addSubnet(`::ffff:${start}`, 96 + bits, "ipv6");
  refused.addSubnet(`64:ff9b::${start}`, 96 + bits, "ipv6");
  // 6to4 has the IPv4 address after its first 16 bits.
  refused.addSubnet(`2002:${toGroups(start)}::`, 16 + bits, "ipv6");
}

/**
 * Whether an IP address is of a computer on the internet, not of this one or
 * of a network around it, also where IPv6 carries it as an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  // A zone, as in fe80::1%eth0, is of a network around.
  if (address.includes("%")) return false;
  const version = isIP(address);
  if (version === 4) return !refused.check(address, "ipv4");
  return (
    version === 6 &&
    reachable.check(address, "ipv6") &&
    !refused.check(address, "ipv6")
  );
}

/** `192.168.0.0` is `c0a8:0000`. */
function toGroups(address: string): string {
  const [a, b, c, d] = address
    .split(".")
    .map((byte) => Number(byte).toString(16).padStart(2, "0"));
  return `${a}${b}:${c}${d}`;
}
