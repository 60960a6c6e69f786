import { afterAll, beforeAll, expect, test } from "vitest";

import { createOutbound } from "../../outbound/outbound.js";
import {
  fetchDocument,
  maxDocumentBytes,
} from "../../services/metadata/fetch-document.js";
import { type LocalSite, openSite } from "../support/local-site.js";

const open = createOutbound(true);
const guarded = createOutbound(false);

let site: LocalSite;
beforeAll(async () => {
  site = await openSite((request, response) => {
    const path = request.url ?? "/";
    const status = Number(/^\/status\/(\d+)/u.exec(path)?.[1] ?? 200);
    if (path === "/redirect") response.setHeader("location", "/moved");
    response.writeHead(path === "/redirect" ? 302 : status);
    const large = path === "/large" ? "x".repeat(maxDocumentBytes) : "";
    const text = path === "/text" ? "hello" : JSON.stringify({ path, large });
    response.end(path === "/list" ? `[${text}]` : text);
  });
});
afterAll(() => Promise.all([site.close(), open.close(), guarded.close()]));

function fetchFrom(uri: string, tokenId: bigint | null = null) {
  const ipfsGateway = `${site.url}/gateway/`;
  return fetchDocument({ outbound: open, ipfsGateway }, uri, tokenId);
}

const json = '{"name":"100% é","pet":"🐈"}';
const parsed = { name: "100% é", pet: "🐈" };
const base64 = Buffer.from(json).toString("base64");

test.each([
  `data:application/json;base64,${base64}`,
  `DATA:application/json;charset=utf-8;BASE64,${base64}`,
  `data:application/json;base64,${encodeURIComponent(base64)}`,
  `data:application/json,${encodeURIComponent(json)}`,
  `data:,${encodeURIComponent(json)}`,
  `data:application/json;utf8,${json}`,
  `  data:application/json,${encodeURIComponent(json)}\n`,
])("reads JSON that the URI itself contains: %s", async (uri) => {
  expect(await fetchFrom(uri)).toEqual({
    value: parsed,
    outcome: "found",
    reason: "",
  });
});

test("reads unescaped JSON that looks escaped", async () => {
  const image = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/%22%3E";
  const uri = `data:application/json;utf8,${JSON.stringify({ image })}`;
  expect((await fetchFrom(uri)).value).toEqual({ image });
});

test.each([
  ["/token/7?a=b", "/token/7?a=b"],
  ["/redirect", "/moved"],
])("reads documents over HTTP: %s", async (path, answered) => {
  const { value, outcome } = await fetchFrom(site.url + path);
  expect([value["path"], outcome]).toEqual([answered, "found"]);
});

test.each([
  ["ipfs://bafy/1.json", "/gateway/ipfs/bafy/1.json"],
  ["ipfs://ipfs/QmCid", "/gateway/ipfs/QmCid"],
  ["IPFS://QmCaseMatters/a b", "/gateway/ipfs/QmCaseMatters/a%20b"],
])("reads documents through an IPFS gateway: %s", async (uri, answered) => {
  expect((await fetchFrom(uri)).value["path"]).toBe(answered);
});

test("inserts the token ID into the URI and the document if the standard requires it", async () => {
  const id = "00".repeat(30) + "abcd";
  const uri = `${site.url}/{id}/{id}.json`;
  const { value } = await fetchFrom(uri, 0xabcdn);
  expect(value["path"]).toBe(`/${id}/${id}.json`);
  const max = await fetchFrom('data:,{"a":"{id}","{id}":1}', 2n ** 256n - 1n);
  expect(max.value).toEqual({ a: "f".repeat(64), ["f".repeat(64)]: 1 });
  const packed = Buffer.from('{"a":"{id}"}').toString("base64");
  const inside = await fetchFrom(`data:;base64,${packed}`, 1n);
  expect(inside.value).toEqual({ a: `${"0".repeat(63)}1` });
  const kept = await fetchFrom('data:,{"a":"{id}"}');
  expect(kept.value).toEqual({ a: "{id}" });
});

test("preserves numbers without rounding", async () => {
  const { value } = await fetchFrom('data:,{"n":123456789012345678901}');
  expect(value).toEqual({ n: 123456789012345678901n });
});

test.each([
  ["missing", "", /no URI/u],
  ["missing", "  ", /no URI/u],
  ["missing", "not a URI", /not a URL/u],
  ["missing", "ftp://example.com/1", /only http and https/u],
  ["missing", "file:///etc/passwd", /only http and https/u],
  ["missing", "data:application/json", /not a JSON object/u],
  ["missing", "data:,hello", /not a JSON object/u],
  ["missing", "data:,[1]", /not a JSON object/u],
  ["missing", "data:;base64,!!!", /not a JSON object/u],
  ["missing", `data:,${"[".repeat(10_000)}`, /not a JSON object/u],
  ["missing", "ipfs://../../admin", /not an IPFS address/u],
  ["missing", "ipfs://cid/%2e%2e/%2e%2e/admin", /not an IPFS address/u],
  ["missing", "SITE/text", /not a JSON object/u],
  ["missing", "SITE/list", /not a JSON object/u],
  ["missing", "SITE/large", /larger than/u],
  ["missing", "SITE/status/404", /responded with 404/u],
  ["missing", "SITE/status/304", /responded with 304/u],
  ["unreachable", "SITE/status/429", /responded with 429/u],
  ["unreachable", "SITE/status/503", /responded with 503/u],
  ["unreachable", "http://nobody.invalid/", /no response/u],
] as const)("reports %s for the URI %s", async (outcome, uri, reason) => {
  expect(await fetchFrom(uri.replace("SITE", site.url))).toEqual({
    value: {},
    outcome,
    reason: expect.stringMatching(reason),
  });
});

test("does not read from private networks", async () => {
  const asked = site.count();
  const source = { outbound: guarded, ipfsGateway: site.url };
  for (const uri of [
    site.url,
    `http://2130706433:${site.port}`,
    "ipfs://cid",
  ]) {
    expect(await fetchDocument(source, uri, null)).toMatchObject({
      outcome: "missing",
      reason: "127.0.0.1 is not a public address",
    });
  }
  expect(site.count()).toBe(asked);
});

test("rejects a URI that grows too large when the token ID is inserted", async () => {
  const uri = `data:,${"{id}".repeat(13_000)}`;
  expect(await fetchFrom(uri, 1n)).toMatchObject({
    outcome: "missing",
    reason: "it is too large",
  });
});
