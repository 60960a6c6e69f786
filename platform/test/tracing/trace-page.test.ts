import { createHash } from "node:crypto";
import { request } from "node:http";

import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test, vi } from "vitest";

import { KeptTraces } from "../../tracing/kept-traces.js";
import { hostPlatform, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

afterEach(() => {
  vi.useRealTimers();
});

/** Returns kept traces and a function that adds a trace to them. */
function createTraces() {
  const kept = new KeptTraces();
  const tracer = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: kept })],
  }).getTracer("test");
  /** Input: the number of spans below the call. Returns the trace's ID. */
  const add = (name: string, below = 0, attributes = {}): string => {
    const call = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes });
    const parent = trace.setSpan(ROOT_CONTEXT, call);
    for (let count = 0; count < below; count += 1) {
      tracer.startSpan(`step ${count}`, {}, parent).end();
    }
    call.end();
    return call.spanContext().traceId;
  };
  return { kept, add };
}

/** Sends a GET request with a `Host` header, which `fetch` does not allow. */
function getStatus(url: string, headers: Record<string, string>) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
}

test("shows traces and their spans, and escapes all text", async () => {
  const { kept, add } = createTraces();
  const hostile = `"><script>alert('1')</script>&`;
  const id = add(hostile, 2, { "ridl.client.contract": hostile });
  const { tracesUrl } = await hostPlatform(servePlatform(database), null, kept);
  const list = await fetch(tracesUrl ?? "");
  const page = await fetch(`${tracesUrl}/${id}`);
  const texts = [await list.text(), await page.text()];
  for (const text of texts) {
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;");
    expect(text).not.toMatch(/<script|style="|"'/u);
  }
  expect(texts[0]).toContain(`href="/traces/${id}"`);
  expect(texts[1]?.match(/<rect/gu)).toHaveLength(3);
  expect(texts[1]).toContain("step 1");
  expect(texts[1]?.indexOf("step 1")).toBeGreaterThan(
    texts[1]?.indexOf("<summary") ?? Infinity,
  );
  const [, style = ""] = /<style>([^]*)<\/style>/u.exec(texts[1] ?? "") ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});

test("shows traces only beside the metrics, and not to other sites", async () => {
  const { kept } = createTraces();
  const served = servePlatform(database);
  const host = await hostPlatform(served, null, kept);
  const url = host.tracesUrl ?? "";
  expect(new URL(url).origin).toBe(new URL(host.metricsUrl).origin);
  const statusFrom = (site: string): Promise<number | undefined> =>
    getStatus(url, { "sec-fetch-site": site });
  expect(await statusFrom("none")).toBe(200);
  expect(await statusFrom("same-origin")).toBe(200);
  expect(await statusFrom("same-site")).toBe(403);
  expect(await statusFrom("cross-site")).toBe(403);
  expect(await getStatus(url, { host: "localhost:1" })).toBe(200);
  expect(await getStatus(url, { host: "rebound.example:1" })).toBe(403);
  expect(await getStatus(`${url}/${"0".repeat(32)}`, {})).toBe(404);
  expect(await getStatus(`${host.baseUrl}/traces`, {})).toBe(404);
  const without = await hostPlatform(served);
  expect(without.tracesUrl).toBeNull();
  const other = without.metricsUrl.replace(/metrics$/u, "traces");
  expect(await getStatus(other, {})).toBe(404);
});

test("keeps the last 20 traces of each method", () => {
  const { kept, add } = createTraces();
  const rare = add("Relaying/Relay");
  const frequent = Array.from({ length: 30 }, () => add("Relaying/GetRelay"));
  const ids = kept.list().map(({ id }) => id);
  expect(ids).toEqual([...frequent.slice(-20).reverse(), rare]);
});

test("keeps at most 200 spans of a trace, and 5,000 in total", () => {
  const { kept, add } = createTraces();
  const first = add("API/Long", 299);
  expect(kept.find(first)).toMatchObject({ omitted: 100 });
  expect(kept.find(first)?.spans).toHaveLength(200);
  for (let count = 0; count < 26; count += 1) add(`API/Long${count}`, 199);
  const spans = kept.list().flatMap((each) => each.spans);
  expect(spans).toHaveLength(5000);
  expect(kept.find(first)).toBeNull();
});

test("forgets a trace an hour after its last span", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { kept, add } = createTraces();
  const id = add("API/Call");
  vi.setSystemTime(Date.now() + 59 * 60_000);
  expect(kept.find(id)).not.toBeNull();
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect([kept.find(id), kept.list()]).toEqual([null, []]);
});
