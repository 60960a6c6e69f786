import { expect, test } from "vitest";

import { isPublicAddress } from "../../outbound/public-address.js";

const privateAddresses = [
  ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
  ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
  ["link-local", "169.254.169.254", "fe80::1", "fe80::1%eth0", "febf::1"],
  ["site-local", "fec0::1"],
  ["unique local", "fc00::1", "fd12:3456::1"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
  ["reserved", "240.0.0.1", "255.255.255.255", "192.0.0.8", "198.18.0.1"],
  ["documentation", "192.0.2.1", "203.0.113.9", "2001:db8::1", "3fff::1"],
  ["mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:192.168.0.1"],
  ["compatible", "::127.0.0.1", "::8.8.8.8"],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8"],
  ["6to4", "2002:7f00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::"],
  ["cloud metadata", "168.63.129.16", "::ffff:168.63.129.16"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["an invalid address", "", "localhost", "127.1", "1.2.3", "0x7f.0.0.1"],
].flatMap(([kind = "", ...all]) => all.map((address) => [kind, address]));

test.each(privateAddresses)("rejects %s: %s", (_, address = "") => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:808:808::1",
])("accepts the public address %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
