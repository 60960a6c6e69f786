import { gunzipSync } from "node:zlib";

import { request } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";

import { createAnswerOperations } from "../../http/operations.js";
import {
  defaultSettings,
  hostPlatform,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

test("reports that it is not ready before it stops to accept requests", async () => {
  const host = await hostPlatform(servePlatform(database));
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(host.baseUrl + path)).status;
  expect(await statusOf("/readyz")).toBe(200);
  host.drain();
  expect(await statusOf("/readyz")).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  expect(await statusOf("/rpc/API/Unknown")).toBe(404);
});

test("lists the networks whose relays depend on a single host", async () => {
  const [embedded] = defaultSettings.networks;
  if (embedded === undefined) throw new Error("there is no network");
  const nodeUrls = [
    ["https://a.test"],
    ["https://a.test", "https://b.test"],
    ["https://a.test/1", "https://a.test/2"],
    ["https://a.test/1", "https://b.test", "https://a.test/2"],
    ["https://a.test", "https://b.test", "https://c.test"],
  ];
  const networks = nodeUrls.map((rpcUrls, index) => ({
    ...{ ...embedded, handle: `chain-${index}`, chainId: index + 1 },
    rpcUrls,
  }));
  const relayKey = `0x${"1".repeat(64)}` as const;
  const readFacts = async (changes: object) => {
    const platform = servePlatform(database, { networks, ...changes });
    const { baseUrl } = await hostPlatform(platform);
    return (await fetch(`${baseUrl}/readyz`)).json();
  };
  const status = "ready";
  expect(await readFacts({ relayKey: null })).toEqual({ status });
  expect(await readFacts({ relayKey })).toEqual({
    ...{ status, singleSourceNetworks: ["chain-0", "chain-2", "chain-3"] },
  });
});

test("is not ready if the database fails while it is asked for its clock", async () => {
  const failing = database.withPlugin({
    transformQuery: ({ node }) => {
      if (!JSON.stringify(node).includes("clock_timestamp")) return node;
      throw new Error("the connection was ended");
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const { baseUrl } = await hostPlatform(servePlatform(failing));
  const response = await fetch(`${baseUrl}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: "no database" });
});

test("requests for the readiness share the reads of the database", async () => {
  let reads = 0;
  const counting = database.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes("clock_timestamp")) reads += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const answer = createAnswerOperations({
    ...{ database: counting, networks: { all: [] } },
    ...{ settings: defaultSettings, isStopping: () => false },
  });
  const ask = () =>
    new Promise<unknown>((end) => {
      const response = { end, writeHead: () => undefined };
      answer(Object({ url: "/readyz", method: "GET" }), Object(response));
    });
  const answers = await Promise.all(Array.from({ length: 100 }, ask));
  expect(new Set(answers)).toEqual(new Set(['{"status":"ready"}']));
  expect(reads).toBeLessThanOrEqual(2);
});

test("reports that the clock of the instance is wrong", async () => {
  const { baseUrl } = await hostPlatform(servePlatform(database));
  const readFacts = async (): Promise<unknown> =>
    (await fetch(`${baseUrl}/readyz`)).json();
  expect(await readFacts()).toEqual({ status: "ready" });
  for (const hours of [-1, 1]) {
    const now = Date.now() + hours * 3_600_000;
    vi.useFakeTimers({ toFake: ["Date"], now });
    onTestFinished(() => void vi.useRealTimers());
    const { clockOffsetSeconds } = Object(await readFacts());
    // The fake clock stands still.
    expect(clockOffsetSeconds * hours).toBeGreaterThan(3000);
    expect(clockOffsetSeconds * hours).toBeLessThan(4200);
    vi.useRealTimers();
  }
});

test("does not show metrics to web pages", async () => {
  const { metricsUrl } = await hostPlatform(servePlatform(database));
  const statusFrom = async (site: string): Promise<number> => {
    const headers = { "sec-fetch-site": site };
    return (await fetch(metricsUrl, { headers })).status;
  };
  expect((await fetch(metricsUrl)).status).toBe(200);
  expect(await statusFrom("none")).toBe(200);
  expect(await statusFrom("same-origin")).toBe(403);
  expect(await statusFrom("cross-site")).toBe(403);
  const statusAt = async (host: string, other = {}): Promise<number> => {
    const { body, statusCode } = await request(metricsUrl, {
      headers: { host, ...other },
    });
    await body.dump();
    return statusCode;
  };
  // Browsers send no `Sec-Fetch-Site` to other addresses without TLS.
  const browser = { "accept-language": "en" };
  expect(await statusAt("rebound.example:1", browser)).toBe(403);
  expect(await statusAt("localhost:1", browser)).toBe(200);
  expect(await statusAt("platform.example:1")).toBe(200);
});

test("compresses the explorer for clients that accept it", async () => {
  const { baseUrl } = await hostPlatform(servePlatform(database));
  // Unlike fetch, this client does not decompress bodies.
  const read = async (encoding: string) => {
    const { body, headers } = await request(`${baseUrl}/explorer.js`, {
      headers: { "accept-encoding": encoding },
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    return { bytes, encoding: headers["content-encoding"] };
  };
  const plain = await read("br, gzip;q=0");
  expect(plain.encoding).toBeUndefined();
  const compressed = await read("br, gzip");
  expect(compressed.encoding).toBe("gzip");
  expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes);
  expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  const head = await fetch(`${baseUrl}/explorer.js`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});
