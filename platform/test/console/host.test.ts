import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, json, text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { serveConsole } from "../../console/host.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { openConsole, testToken } from "./open-console.js";

const database = await openTestDatabase();
const opened = openConsole(database);
const post = {
  method: "POST",
  headers: { "content-type": "application/json" },
};
const asOperator = { authorization: `Bearer ${testToken}` };

/** Serves the console with a one-line page. Output: its URL. */
async function hostConsole(
  adminNames: readonly string[] = [],
): Promise<string> {
  const pageFolder = mkdtempSync(join(tmpdir(), "ridlkit-page-"));
  writeFileSync(join(pageFolder, "index.html"), "the page");
  writeFileSync(join(pageFolder, "index.html.gz"), gzipSync("the page"));
  const { close, url } = await serveConsole(opened.server, {
    ...{ adminHost: "127.0.0.1", adminNames, adminPort: 0 },
    ...{ pageFolder, proxyHeader: null },
  });
  onTestFinished(async () => {
    await close(0);
    rmSync(pageFolder, { recursive: true });
  });
  return url;
}

/**
 * Sends a request with a custom `Host` header, which `fetch` does not allow.
 */
function send(
  url: string,
  host: string,
  options: { readonly method?: string; readonly headers?: object } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, host };
    const body = options.method === "POST" ? "{}" : undefined;
    request(url, { ...options, headers }, resolve)
      .on("error", reject)
      .end(body);
  });
}

test("accepts IP addresses, localhost, and the configured names as hosts", async () => {
  const url = await hostConsole(["Console.example.com"]);
  const { port } = new URL(url);
  const hosts = [
    ...[`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`, "LOCALHOST"],
    ...["10.1.2.3", "console.example.com", "console.example.com:443"],
  ];
  for (const host of hosts) {
    const page = await send(`${url}/projects/7`, host);
    expect([host, page.statusCode, await text(page)]).toEqual([
      ...[host, 200, "the page"],
    ]);
  }
});

test("rejects requests for its page and its API under any other host name", async () => {
  const url = await hostConsole(["console.example.com"]);
  const hosts = [
    ...["evil.example", "evil.example:4243", "127.0.0.1.evil.example"],
    ...["localhost.evil.example", "127.0.0.1@evil.example", "[evil]"],
    ...["console.example.com.evil.example", "a.console.example.com"],
  ];
  for (const host of hosts) {
    const answers = [
      await send(url, host),
      await send(`${url}/rpc/Operators/GetSession`, host, {
        ...post,
        headers: { ...post.headers, ...asOperator },
      }),
    ];
    for (const answer of answers) {
      expect([host, answer.statusCode]).toEqual([host, 403]);
      expect(await json(answer)).toMatchObject({
        error: "PermissionDenied",
        cause: expect.stringContaining("adminNames"),
      });
    }
  }
});

test("sends the compressed copy of a file to browsers that accept gzip", async () => {
  const url = await hostConsole();
  const ask = (encodings: string) =>
    send(url, new URL(url).host, {
      headers: { "accept-encoding": encodings },
    });
  for (const encodings of ["gzip", "br;q=1.0, gzip;q=0.8"]) {
    const { headers } = await ask(encodings);
    expect(headers).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "text/html; charset=utf-8",
      vary: "accept-encoding",
    });
  }
  const compressed = await ask("gzip");
  expect(gunzipSync(await buffer(compressed)).toString()).toBe("the page");
  for (const encodings of ["", "br", "gzip;q=0", "x-gzip2"]) {
    const plain = await ask(encodings);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(await text(plain)).toBe("the page");
  }
});

test("sends its content security policy with every response", async () => {
  const url = await hostConsole();
  const host = new URL(url).host;
  const answers = [
    await send(url, host),
    await send(`${url}/rpc/Operators/GetSession`, host, post),
    await send(`${url}/nowhere.js`, host),
    await send(url, "evil.example"),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    ...[200, 401, 404, 403],
  ]);
  for (const { headers } of answers) {
    const policy = headers["content-security-policy"];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/u);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("serves the console only on its own address, and nothing else there", async () => {
  const { baseUrl, metricsUrl } = await hostPlatform(opened.platform);
  const adminUrl = await hostConsole();
  const project = await createTestProject(opened.platform.store);
  const ask = async (url: string, headers: object) => {
    const init = { ...post, headers: { ...post.headers, ...headers } };
    const body = JSON.stringify({ projectId: project.id });
    const answer = await fetch(url, { ...init, body });
    await answer.body?.cancel();
    return answer.status;
  };
  const ofConsole = "/rpc/Keys/ListAccessKeys";
  const ofBuilder = "/rpc/Builder/ListAudiences";
  expect(await ask(adminUrl + ofConsole, asOperator)).toBe(200);
  expect(await ask(baseUrl + ofConsole, asOperator)).toBe(404);
  expect(await ask(new URL(ofConsole, metricsUrl).href, asOperator)).toBe(404);
  expect(await ask(baseUrl + ofBuilder, headersOf(project))).toBe(200);
  expect(await ask(adminUrl + ofBuilder, headersOf(project))).toBe(404);
  // Keys do not work in the console, and the console's token does not work in
  // the services.
  expect(await ask(adminUrl + ofConsole, headersOf(project))).toBe(401);
  const { accessKey } = project;
  const withToken = { "x-access-key": accessKey, ...asOperator };
  const change = "/rpc/Relayer/AddGasSponsor";
  expect(await ask(baseUrl + change, headersOf(project))).toBe(400);
  expect(await ask(baseUrl + change, withToken)).toBe(403);
});

/**
 * Sends a call that waits for the permission to send its body. Output: all that
 * the server sends.
 */
async function sendPermitted(
  url: string,
  keys: Readonly<Record<string, string>>,
  body: string,
  length: number = body.length,
): Promise<string> {
  const { host, hostname, pathname, port } = new URL(url);
  const headers = {
    ...{ ...post.headers, ...keys, host, connection: "close" },
    ...{ "content-length": length, expect: "100-continue" },
  };
  const lines = Object.entries(headers).map(([name, value]) => {
    return `${name}: ${value}\r\n`;
  });
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`);
  socket.once("data", (part) => {
    if (String(part).startsWith("HTTP/1.1 100 ")) socket.write(body);
  });
  return text(socket);
}

test("permits clients to send bodies only if it reads them, on every address", async () => {
  const { baseUrl, metricsUrl } = await hostPlatform(opened.platform);
  const project = await createTestProject(opened.platform.store);
  const body = JSON.stringify({ projectId: project.id });
  const calls = [
    [`${baseUrl}/rpc/Builder/ListAudiences`, headersOf(project)],
    [`${await hostConsole()}/rpc/Keys/ListAccessKeys`, asOperator],
  ] as const;
  for (const [url, keys] of calls) {
    const read = await sendPermitted(url, keys, body);
    expect(read).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/u);
    const refused = await sendPermitted(url, keys, body, 2 ** 30);
    expect(refused).toMatch(/^HTTP\/1\.1 413 /u);
  }
  const metrics = await sendPermitted(metricsUrl, {}, body);
  expect(metrics).toMatch(/^HTTP\/1\.1 200 OK/u);
});
