import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { openSiteForTest } from "../support/local-site.js";
import { get, openOutbound, textOf } from "./ask.js";

const open = openOutbound(true);

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
])("rejects the target %s", async (url) => {
  const refused = { reason: "refused" };
  await expect(get(open, url)).rejects.toMatchObject(refused);
  expect(await open.problemOf(url)).not.toBeNull();
});

test("follows at most the requested number of redirects, and checks each", async () => {
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
  // The redirect of a POST request is not followed.
  const posted = { ...two, method: "POST" } as const;
  expect((await get(open, away.url, posted)).status).toBe(307);
  expect(site.count()).toBe(asked);
});

test("returns status, headers, and body", async () => {
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

test("decompresses bodies up to the requested size", async () => {
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

test("rejects unknown encodings and corrupt data", async () => {
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

test("rejects endless bodies and oversized headers", async () => {
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

test("closes idle connections early, whatever their hosts ask for", async () => {
  let hasClosed = false;
  const keep = "keep-alive: timeout=600\r\ncontent-length: 0";
  const server = createServer((socket) => {
    socket.on("close", () => (hasClosed = true));
    socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\n${keep}\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = Object(server.address());
  await get(open, `http://127.0.0.1:${port}`);
  await expect.poll(() => hasClosed, { timeout: 20_000 }).toBe(true);
});

test("limits the total time rather than the idle time", async () => {
  const slow = await openSiteForTest((request, response) => {
    if (request.url === "/silent") return;
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  for (const [path, status] of [
    ["/silent", null],
    ["/drips", 200],
  ] as const) {
    const answer = get(open, slow.url + path, { timeoutMs: 1000 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout", status });
  }
});

test("lets callers abort with their own reason", async () => {
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

test("fails if no server is listening", async () => {
  const site = await openSiteForTest((_, response) => response.end());
  await site.close();
  await expect(get(open, site.url)).rejects.toMatchObject({
    reason: "unreachable",
    message: "no response (ECONNREFUSED)",
  });
});
