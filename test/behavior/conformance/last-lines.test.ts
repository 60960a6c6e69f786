import { describe, expect, it } from "vitest";
import type { WireOptions } from "./load-contract.js";
import { serveContract } from "./served-contract.js";

const quota = {
  limit: 5,
  used: "12345678901234567890",
  resetAt: "2030-01-02T03:04:05.678Z",
};
const members = '"error":"QuotaReached","code":1429,"msg":"m","status":429';
const withData = (data: unknown): string =>
  `{${members},"data":${JSON.stringify(data)}}`;

/** Errors in the last line of a stream, and whether clients get its data. */
const errors: readonly (readonly [
  title: string,
  text: string,
  has: boolean,
])[] = [
  ["data", withData(quota), true],
  ["a large integer as a number", withData({ ...quota, used: 7 }), true],
  [
    "an unknown variant",
    withData({ ...quota, shape: { kind: "line", to: null } }),
    true,
  ],
  ["more than is declared", withData({ ...quota, more: [1] }), true],
  [
    "names of an earlier version of webrpc",
    `{"name":"QuotaReached","code":1429,"message":"m","status":429,"data":${JSON.stringify(quota)}}`,
    true,
  ],
  [
    "as much data as a line can have",
    withData({ ...quota, more: "x".repeat(4_000_000) }),
    true,
  ],
  ["no data", `{${members}}`, false],
  ["null as data", withData(null), false],
  ["a list as data", withData([quota]), false],
  [
    "an invalid variant",
    withData({ ...quota, shape: { kind: "circle" } }),
    false,
  ],
  ["an invalid field", withData({ ...quota, resetAt: "now" }), false],
  [
    "data as a prototype",
    `{${members},"data":{"__proto__":${JSON.stringify(quota)}}}`,
    false,
  ],
  ["an error of webrpc", `{${members},"cause":"because"}`, false],
];

const forms: readonly WireOptions[] = [
  { int64: "number", timestamp: "string" },
  { int64: "bigint", timestamp: "date" },
];

/** Returns a function that responds with the parts of a body in order. */
function respond(...bodies: readonly string[]): () => Promise<Response> {
  const headers = { "content-type": "application/x-ndjson" };
  const left = [...bodies];
  return () => Promise.resolve(new Response(left.shift() ?? null, { headers }));
}

async function collect(items: unknown): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  try {
    for await (const item of items as AsyncIterable<unknown>) all.push(item);
  } catch (error) {
    all.push(error);
  }
  return all;
}

describe.each(forms)("a stream (int64: $int64)", async (form) => {
  const { createClient } = await serveContract(form);
  const open = (method: string, fetch: unknown, options?: object): unknown => {
    const { lines } = createClient({ baseUrl: "http://localhost", fetch });
    return lines?.[method]?.({}, options);
  };

  it.each(errors)("ends with an error with %s", async (_, text, has) => {
    const body = `{"n":1}\n{"webrpcError":${text}}\n`;
    const [item, error, ...more] = await collect(open("end", respond(body)));
    expect(more).toEqual([]);
    expect(item).toEqual({ n: 1 });
    expect(error).toMatchObject({ name: "QuotaReached", status: 429 });
    const data: unknown = Reflect.get(Object(error), "data");
    if (!has) return expect(data).toBeUndefined();
    expect(data).toMatchObject({
      limit: form.int64 === "bigint" ? 5n : 5,
      used: expect.any(BigInt),
    });
  });

  it("has items that are unions, also of unknown variants", async () => {
    const body = `{"shape":{"kind":"circle","radius":1,"area":"7"}}\n{"shape":{"kind":"line","to":[null]}}\n`;
    expect(await collect(open("shapes", respond(body)))).toEqual([
      { shape: { kind: "circle", radius: 1, area: 7n } },
      { shape: { kind: "line", to: [null] } },
    ]);
  });

  it.each(["5", "null", '{"kind":"circle","radius":1,"area":"x"}'])(
    "fails at an item with the invalid union %s",
    async (shape) => {
      const valid = '{"shape":{"kind":"square","side":1}}';
      const body = `${valid}\n{"shape":${shape}}\n${valid}\n`;
      expect(await collect(open("shapes", respond(body)))).toEqual([
        { shape: { kind: "square", side: 1 } },
        expect.objectContaining({ name: "WebrpcBadResponse" }),
      ]);
    },
  );

  it("resumes after a union, and ends with an error with data", async () => {
    const fetch = respond(
      '{"shape":{"kind":"line","to":null}}\n{"shape":{"ki',
      `{"webrpcError":${withData(quota)}}\n`,
    );
    const resumed: unknown[] = [];
    const reconnect = {
      // The error has the status 429, after which clients try again.
      attempts: 1,
      minDelayMs: 1,
      resume(_: unknown, last: unknown) {
        resumed.push(last);
        return {};
      },
    };
    const [item, error] = await collect(open("shapes", fetch, { reconnect }));
    expect(resumed).toEqual([item]);
    expect(item).toEqual({ shape: { kind: "line", to: null } });
    expect(error).toMatchObject({ name: "QuotaReached" });
    expect(Object(error)).toHaveProperty("data.used", 12345678901234567890n);
  });
});
