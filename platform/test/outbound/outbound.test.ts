import type { LookupAddress } from "node:dns";
import { gzipSync, brotliCompressSync } from "node:zlib";

import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import {
  createGuardedOutbound,
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
} from "../../outbound/outbound.js";
import { openSiteForTest } from "../support/local-site.js";

/** Answers of a name server, by name: what is not in it is asked for real. */
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
    // Each time the next one: a name that rebinds.
    const [now = [], ...later] = addresses;
    if (later.length > 0) names.set(name, later);
    const toFound = (address: string): LookupAddress => ({
      address,
      family: address.includes(":") ? 6 : 4,
    });
    callback(null, now.map(toFound));
  };
  return { ...real, lookup };
});

const guarded = createOutbound({ allowPrivate: false });
const open = createOutbound({ allowPrivate: true });
afterAll(() => Promise.all([guarded.close(), open.close()]));
beforeEach(() => names.clear());

const usual = { method: "GET", timeoutMs: 5000, maxBytes: 1000 } as const;

function get(
  outbound: Outbound,
  url: string,
  changes: Partial<OutboundRequest> = {},
): Promise<OutboundAnswer> {
  return outbound.request({ ...usual, url, ...changes });
}

function textOf({ body }: OutboundAnswer): string {
  return Buffer.from(body).toString();
}

test("private targets are refused, whatever they are written as", async () => {
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
  // The site is there: what is refused would have been answered.
  expect(textOf(await get(open, site.url))).toBe("secret");
  expect(await open.problemOf(site.url)).toBeNull();
});

test.each([
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com/",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "//example.com/",
  "example.com",
  "",
  "http://",
  "http://user:password@example.com/",
  "http://example.com@127.0.0.1/",
])("%s is no target", async (url) => {
  const refused = { reason: "refused" };
  await expect(get(open, url)).rejects.toMatchObject(refused);
  expect(await open.problemOf(url)).not.toBeNull();
});

test("a name that rebinds gains nothing", async () => {
  const site = await openSiteForTest((_, response) => response.end("secret"));
  // Public where it is registered, private where it is asked.
  names.set("rebinds.test", [["8.8.8.8"], ["127.0.0.1"]]);
  const url = `http://rebinds.test:${site.port}/`;
  expect(await guarded.problemOf(url)).toBeNull();
  await expect(get(guarded, url)).rejects.toMatchObject({ reason: "refused" });
  expect(site.count()).toBe(0);
});

test("of the addresses of a name, the private ones are not asked", async () => {
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

test("a name that nobody knows is no problem yet, and cannot be asked", async () => {
  const url = "http://nobody.invalid/";
  expect(await guarded.problemOf(url)).toBeNull();
  await expect(get(guarded, url)).rejects.toMatchObject({
    reason: "unreachable",
  });
});

test("redirects are followed as far as asked for, and each is guarded", async () => {
  const site = await openSiteForTest((request, response) => {
    const hops = Number(request.url?.slice(1));
    if (hops === 0) return response.end(request.headers["x-key"] ?? "none");
    return response.writeHead(302, { location: `/${hops - 1}` }).end();
  });
  expect((await get(open, `${site.url}/1`)).status).toBe(302);
  const headers = { "x-key": "key" };
  const two = { maxRedirects: 2, headers };
  expect(textOf(await get(open, `${site.url}/2`, two))).toBe("key");
  expect((await get(open, `${site.url}/3`, two)).status).toBe(302);

  const away = await openSiteForTest((_, response) => {
    response.writeHead(307, { location: `${site.url}/0` }).end();
  });
  expect(textOf(await get(open, away.url, two))).toBe("none");
  const asked = site.count();
  for (const location of [
    "file:///etc/passwd",
    "ftp://example.com/",
    "http://user@example.com/",
  ]) {
    const leads = await openSiteForTest((_, response) => {
      response.writeHead(301, { location }).end();
    });
    await expect(get(open, leads.url, two)).rejects.toMatchObject({
      reason: "refused",
    });
  }
  // A redirect is a request like the first: to where it leads, it is refused.
  const posted = { ...two, method: "POST" } as const;
  expect((await get(open, away.url, posted)).status).toBe(307);
  expect(site.count()).toBe(asked);
});

test("a redirect does not lead where its host may not be asked", async () => {
  const there = await openSiteForTest((_, response) => response.end("secret"));
  let location = "";
  const site = await openSiteForTest((_, response) => {
    response.writeHead(302, { location }).end();
  });
  // The rest of loopback stands for what is private.
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

test("an answer comes with status, headers and body", async () => {
  const site = await openSiteForTest(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(404, { "X-Two": ["a", "b"] });
    response.end(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
  });
  const answer = await get(open, `${site.url}/a%20b?c=d#e`, {
    method: "POST",
    body: "message",
  });
  expect(answer).toMatchObject({ status: 404, headers: { "x-two": "a, b" } });
  expect(textOf(answer)).toBe("POST /a%20b?c=d message");
});

test("what is packed is unpacked, and no further than asked for", async () => {
  const pack = {
    gzip: gzipSync,
    br: brotliCompressSync,
    identity: Buffer.from,
  };
  const bomb = Buffer.alloc(5_000_000);
  for (const [encoding, packAs] of Object.entries(pack)) {
    const site = await openSiteForTest((request, response) => {
      const content = request.url === "/bomb" ? bomb : Buffer.from("content");
      response.writeHead(200, { "content-encoding": encoding });
      response.end(packAs(content));
    });
    expect(textOf(await get(open, site.url))).toBe("content");
    await expect(get(open, `${site.url}/bomb`)).rejects.toMatchObject({
      reason: "too-large",
      status: 200,
    });
  }
});

test("what is packed in a way that nobody knows, or badly, is no answer", async () => {
  for (const encoding of ["zstd", "constructor", "gzip"]) {
    const site = await openSiteForTest((_, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end("content");
    });
    await expect(get(open, site.url)).rejects.toMatchObject({
      reason: "unreachable",
      status: 200,
    });
  }
});

test("bodies without end and headers without end are too large", async () => {
  const endless = await openSiteForTest((request, response) => {
    if (request.url === "/headers") {
      response.setHeader("x-long", "x".repeat(100_000));
    }
    response.on("drain", () => response.write(Buffer.alloc(10_000)));
    response.write(Buffer.alloc(100_000));
  });
  for (const path of ["/body", "/headers"]) {
    await expect(get(open, endless.url + path)).rejects.toMatchObject({
      reason: "too-large",
    });
  }
});

test("the time counts for the whole, not for what is idle", async () => {
  const slow = await openSiteForTest((request, response) => {
    if (request.url === "/silent") return;
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  for (const path of ["/silent", "/drips"]) {
    const answer = get(open, slow.url + path, { timeoutMs: 200 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout" });
  }
});

test("those who ask may stop it, with a reason of their own", async () => {
  const silent = await openSiteForTest(() => undefined);
  const stop = new AbortController();
  const answer = get(open, silent.url, { signal: stop.signal });
  const reason = new Error("no longer needed");
  setTimeout(() => stop.abort(reason), 50);
  await expect(answer).rejects.toBe(reason);
  await expect(get(open, silent.url, { signal: stop.signal })).rejects.toBe(
    reason,
  );
});

test("where nobody listens, there is no answer", async () => {
  const site = await openSiteForTest((_, response) => response.end());
  await site.close();
  await expect(get(open, site.url)).rejects.toMatchObject({
    reason: "unreachable",
    message: "no answer (ECONNREFUSED)",
  });
});
