import type { LookupAddress } from "node:dns";

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { createGuardedOutbound } from "../../outbound/outbound.js";
import { openSiteForTest } from "../support/local-site.js";
import { get, openOutbound, textOf } from "./ask.js";

/** Responses from a name server, by name. Other names resolve normally. */
const names = vi.hoisted(
  () => new Map<string, readonly (readonly string[])[]>(),
);

vi.mock("node:dns", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:dns")>();
  const lookup = (
    name: string,
    options: object,
    callback: (error: Error | null, found: LookupAddress[]) => void,
  ): void => {
    const addresses = names.get(name);
    if (addresses === undefined) {
      real.lookup(name, { ...options, all: true }, callback);
      return;
    }
    // Returns a different address each time, like a DNS rebinding attack.
    const [now = [], ...later] = addresses;
    if (later.length > 0) names.set(name, later);
    const toFound = (address: string): LookupAddress => ({
      address,
      family: address.includes(":") ? 6 : 4,
    });
    callback(null, now.map(toFound));
  };
  /** Knows the names above that end in `.test`. */
  class Resolver {
    #found: readonly string[] = [];
    resolve4 = async (name: string): Promise<string[]> => {
      if (name === "slow.test") {
        throw Object.assign(new Error(), { code: "ETIMEOUT" });
      }
      const [now = [], ...later] = names.get(name) ?? [];
      if (later.length > 0) names.set(name, later);
      this.#found = now;
      return Promise.resolve(now.filter((address) => !address.includes(":")));
    };
    resolve6 = (): Promise<string[]> =>
      Promise.resolve(this.#found.filter((address) => address.includes(":")));
  }
  return { ...real, lookup, promises: { ...real.promises, Resolver } };
});

const guarded = openOutbound(false);
const open = openOutbound(true);
beforeEach(() => names.clear());

test("rejects private targets in every notation", async () => {
  const site = await openSiteForTest((_, response) => response.end("secret"));
  const { port } = site;
  names.set("localhost.", [["127.0.0.1"]]);
  names.set("internal.test", [["10.0.0.1", "127.0.0.1"]]);
  names.set("internal6.test", [["::1"]]);
  names.set("mapped.test", [["::ffff:127.0.0.1"]]);
  const hosts = [
    "127.0.0.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "0",
    "0.0.0.0",
    "%31%32%37.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "internal.test",
    "internal6.test",
    "mapped.test",
    "169.254.169.254",
    "[fd00:ec2::254]",
  ];
  for (const host of hosts) {
    const url = `http://${host}:${port}/`;
    await expect(get(guarded, url), host).rejects.toMatchObject({
      name: "OutboundError",
      reason: "refused",
    });
    expect(await guarded.problemOf(url), host).toMatch(/not a public address/u);
  }
  expect(site.count()).toBe(0);
  // The site is running, so it would have answered any request that got
  // through.
  expect(textOf(await get(open, site.url))).toBe("secret");
  expect(await open.problemOf(site.url)).toBeNull();
});

test("rejects a name that rebinds to a private address", async () => {
  const site = await openSiteForTest((_, response) => response.end("secret"));
  // The address is public at registration and private during the request.
  names.set("rebinds.test", [["8.8.8.8"], ["127.0.0.1"]]);
  const url = `http://rebinds.test:${site.port}/`;
  expect(await guarded.problemOf(url)).toBeNull();
  await expect(get(guarded, url)).rejects.toMatchObject({ reason: "refused" });
  expect(site.count()).toBe(0);
});

test("ignores the private addresses of a name that also has public ones", async () => {
  const site = await openSiteForTest((_, response) => response.end("secret"));
  names.set("both.test", [["127.0.0.1", "192.0.2.1", "240.0.0.1", "8.8.8.8"]]);
  const url = `http://both.test:${site.port}/`;
  expect(await guarded.problemOf(url)).toBeNull();
  const answer = get(guarded, url, { timeoutMs: 300 });
  await expect(answer).rejects.toMatchObject({
    reason: expect.stringMatching(/^(unreachable|timeout)$/u),
  });
  expect(site.count()).toBe(0);
});

test("does not let the system look up a name whose server does not respond", async () => {
  names.set("slow.test", [["127.0.0.1"]]);
  const url = "http://slow.test/";
  await expect(get(guarded, url)).rejects.toMatchObject({
    reason: "unreachable",
    message: "no response (ETIMEOUT)",
  });
});

test("accepts an unknown name, but cannot connect to it", async () => {
  const url = "http://nobody.invalid/";
  expect(await guarded.problemOf(url)).toBeNull();
  await expect(get(guarded, url)).rejects.toMatchObject({
    reason: "unreachable",
  });
});

test("does not follow a redirect to a forbidden host", async () => {
  const there = await openSiteForTest((_, response) => response.end("secret"));
  let location = "";
  const site = await openSiteForTest((_, response) => {
    response.writeHead(302, { location }).end();
  });
  // The other loopback addresses stand in for private networks.
  const outbound = createGuardedOutbound((address) => address === "127.0.0.1");
  onTestFinished(outbound.close);
  const follow = () => get(outbound, site.url, { maxRedirects: 3 });
  location = there.url;
  expect(textOf(await follow())).toBe("secret");
  names.set("internal.test", [["127.0.0.2"]]);
  for (const host of ["127.0.0.2", "0x7f.2", "[::1]", "internal.test", "0"]) {
    location = `http://${host}:${there.port}/`;
    await expect(follow(), host).rejects.toMatchObject({ reason: "refused" });
  }
  expect(there.count()).toBe(1);
});
