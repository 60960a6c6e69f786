import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createShopClient,
  type ShopClient,
} from "../../golden/fixtures/forms/expected/client.js";
import { createShopServer } from "../../golden/fixtures/forms/expected/server.js";
import type {
  OrderRequest,
  SearchRequest,
} from "../../golden/fixtures/forms/expected/types.js";
import fc from "../../support/fast-check.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";

let seen: unknown = null;

const server = createShopServer({
  handlers: {
    shop: {
      order: (request) => {
        seen = request;
        return { order: 1 };
      },
      save: (request) => {
        seen = request;
        return request;
      },
      search: (request) => {
        seen = request;
        return { count: 1 };
      },
      attach: () => ({ count: 1 }),
      setLogo: () => ({}),
    },
  },
  verifyToken: (value) => value === "good",
  cors: { origins: ["https://own.example"] },
});

const formType = "application/x-www-form-urlencoded";
const token = { authorization: "Bearer good" };
const foreign = {
  "sec-fetch-site": "cross-site",
  origin: "https://page.example",
};

interface Case {
  readonly title: string;
  readonly verb?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body: string | Uint8Array;
  readonly status?: number;
  readonly seen?: unknown;
  readonly text?: string;
}

const profile = { verb: "PUT", path: "/profile", headers: token };

const cases: readonly Case[] = [
  {
    title: "every kind of value",
    path: "/orders/7",
    body: "state=open&paid=true&total=1.5&tags=a&tags=b&address[street]=x+y&address%5Blines%5D%5B%5D=1&items[0][sku]=a&items[0][parent][sku]=b&items[1][sku]=c&matrix[0]=1&matrix[0]=2&matrix[1][]=3&metadata[__proto__]=p&metadata[]=q&payment[kind]=transfer&payment[limit]=5&place=home",
    status: 201,
    seen: {
      id: 7,
      state: "open",
      paid: true,
      total: 1.5,
      tags: ["a", "b"],
      address: { street: "x y", lines: ["1"] },
      items: [{ sku: "a", parent: { sku: "b" } }, { sku: "c" }],
      matrix: [[1, 2], [3]],
      metadata: Object.fromEntries([
        ["__proto__", "p"],
        ["", "q"],
      ]),
      payment: { kind: "transfer", ibans: [], limit: 5 },
      place: "home",
    },
  },
  {
    title: "unknown names",
    body: "x=1&__proto__[y]=1&constructor=2&x[=1",
    seen: {},
  },
  {
    title: "a percent sign",
    body: "query=100%",
    seen: { query: "100%" },
  },
  {
    title: "one struct as the whole form",
    ...profile,
    body: "display_name=Ann&color=red",
    seen: { profile: { display_name: "Ann", more: { color: "red" } } },
  },
  {
    title: "no form for a required struct",
    ...profile,
    body: "",
    status: 400,
    text: "profile.display_name: expected ",
  },
  {
    title: "members of a value",
    body: "query[a]=1",
    status: 400,
    text: "query: expected a value, got names in brackets",
  },
  {
    title: "a value in place of a struct",
    body: "in=1",
    status: 400,
    text: "in[0]: expected names in brackets, got a value",
  },
  {
    title: "a large index",
    body: "ids[999999999]=1",
    status: 400,
    text: "ids: expected items such as `[0]` with indexes from 0 without gaps",
  },
  {
    title: "a prototype key as an index",
    body: "ids[__proto__]=1",
    status: 400,
    text: "ids: expected items",
  },
  {
    title: "a bracket without an end",
    body: "ids[0=1",
    status: 400,
    text: "ids: expected a name such as `a[b][c]`, got other brackets",
  },
  {
    title: "deep nesting",
    body: `in${"[0]".repeat(200)}=1`,
    status: 400,
    text: "in: expected at most 100 names in brackets, got more",
  },
  {
    title: "a long name",
    body: `ids${"[".repeat(300_000)}=1&in${"[]".repeat(300_000)}=1`,
    status: 400,
    text: "ids: expected a name such as `a[b][c]`, got other brackets; in: expected at most 100 names in brackets, got more",
  },
  {
    title: "many faults",
    body: "in[]=a&".repeat(1000),
    status: 400,
    text: 'in[19]: expected names in brackets, got a value"',
  },
  {
    title: "unescaped bytes that are not UTF-8",
    body: Uint8Array.of(113, 61, 255),
    status: 400,
    text: "body is not UTF-8",
  },
  {
    title: "a form of a page of a listed origin",
    body: "query=a",
    headers: { ...foreign, origin: "https://own.example" },
    seen: { query: "a" },
  },
  {
    title: "a form of another origin with a token",
    ...profile,
    headers: { ...token, ...foreign },
    body: "display_name=Ann",
    seen: { profile: { display_name: "Ann", more: {} } },
  },
  {
    title: "a secret",
    ...profile,
    body: "display_name=A&secret[a]=hidden",
    status: 400,
    text: "secret: expected a value",
  },
];

async function check(running: Running, given: Case): Promise<void> {
  seen = null;
  const {
    body,
    headers,
    path = "/search",
    status = 200,
    verb = "POST",
  } = given;
  const all = { "content-type": formType, ...headers };
  const sent = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const bytes =
    typeof body === "string" ? new TextEncoder().encode(body) : body;
  const answer = await running.send({
    verb,
    path,
    headers: Object.fromEntries(sent),
    body: bytes.length === 0 ? null : bytes,
  });
  expect([answer.status, answer.text]).toEqual([
    status,
    expect.stringContaining(given.text ?? ""),
  ]);
  expect(answer.text).not.toContain("hidden");
  if (given.seen !== undefined) expect(seen).toEqual(given.seen);
}

describe.each(sampleOn([...hosts, listenerHost, ...lambdaHosts], cases))(
  "forms on $name",
  ({ sample, start }) => {
    let running: Running;
    let client: ShopClient;
    beforeAll(async () => {
      running = await start(server);
      client = createShopClient({
        baseUrl: "http://localhost",
        fetch: running.fetch,
        credentials: { token: "good" },
      });
    });
    afterAll(() => running.close());

    it("answers each form", async () => {
      for (const given of sample) await check(running, given);
    });

    it("reads what the client sends", async () => {
      const request: SearchRequest = {
        query: "a+b & c=ü%",
        ids: [1, 2],
        in: [{ street: "x", lines: [] }],
      };
      await client.search(request);
      expect(seen).toEqual(request);
      await client.search({ ids: [], in: [] });
      expect(seen).toEqual({});
      const profile = { display_name: "Ann", more: { a: "b" } };
      expect(await client.save({ profile })).toEqual({ profile });
    });

    it("reads the forms of URLSearchParams", async () => {
      const body = new URLSearchParams({ query: "a b+ü", "ids[]": "1" });
      body.append("ids[]", "2");
      const url = "http://localhost/search";
      await running.fetch(url, { method: "POST", body });
      expect(seen).toEqual({ query: "a b+ü", ids: [1, 2] });
    });
  },
);

it("reads the forms of curl", async () => {
  const running = await listenerHost.start(server);
  const run = promisify(execFile);
  const url = `http://localhost:${running.port}/search`;
  const data = ["-d", "ids[]=1", "--data-urlencode", "query=a & b"];
  const { stdout } = await run("curl", ["-s", ...data, url]);
  await running.close();
  expect(stdout).toBe('{"count":1}');
  expect(seen).toEqual({ ids: [1], query: "a & b" });
});

describe("a client of forms", () => {
  const sent: string[] = [];
  const client = createShopClient({
    baseUrl: "https://shop.example",
    fetch: (_, { body, headers }) => {
      const type = new Headers(headers).get("content-type");
      sent.push(`${type} ${String(body)}`);
      return Promise.resolve(new Response('{"count":1,"order":1}'));
    },
  });
  const order: OrderRequest = {
    id: 1,
    state: "open",
    paid: false,
    total: 1e21,
    tags: ["a", "b"],
    address: { street: "s", lines: ["x"] },
    items: [{ sku: "a" }],
    matrix: [[1, 2]],
    metadata: { a: "b" },
  };

  it("repeats the names of lists, and puts members in brackets", async () => {
    sent.length = 0;
    await client.order(order);
    expect(sent).toEqual([
      `${formType} state=open&paid=false&total=1e%2B21&tags=a&tags=b&address%5Bstreet%5D=s&address%5Blines%5D=x&items%5B0%5D%5Bsku%5D=a&matrix%5B0%5D=1&matrix%5B0%5D=2&metadata%5Ba%5D=b`,
    ]);
  });

  it("writes brackets after the names of lists with `@form:brackets`", async () => {
    sent.length = 0;
    await client.search({ ids: [1, 2] });
    await client.search();
    expect(sent).toEqual([`${formType} ids%5B%5D=1&ids%5B%5D=2`, "null null"]);
  });

  it("rejects what a form cannot express", async () => {
    const matrix = [[1], []];
    await expect(client.order({ ...order, matrix })).rejects.toThrow(
      "matrix[1] is empty, which a form cannot express",
    );
    const metadata = { "a[": "b" };
    await expect(client.order({ ...order, metadata })).rejects.toThrow(
      "a form cannot express the name a[",
    );
    const query = "\ud800";
    await expect(client.search({ query })).rejects.toThrow(TypeError);
  });
});

const text = fc.string({ unit: "grapheme", maxLength: 8 });
const key = text.filter((each) => !/[[\]]/u.test(each));
const address = fc.record({
  street: text,
  lines: fc.array(text, { maxLength: 3 }),
});
const count = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const item = fc.record(
  { sku: text, count, parent: fc.record({ sku: text }) },
  { requiredKeys: ["sku"] },
);
const payment = fc.oneof(
  fc.record({ kind: fc.constant("card" as const), number: text }),
  fc.record({
    kind: fc.constant("transfer" as const),
    ibans: fc.array(text, { maxLength: 3 }),
    limit: count,
  }),
);
const place = fc.oneof(text, address);
const few = { minLength: 1, maxLength: 3 };

const orders = fc.record(
  {
    id: count,
    dryRun: fc.boolean(),
    state: fc.constantFrom("open" as const, "paid" as const),
    paid: fc.boolean(),
    total: fc
      .double({ noDefaultInfinity: true, noNaN: true })
      .map((each) => each + 0),
    note: text,
    photo: fc.uint8Array({ maxLength: 5 }),
    tags: fc.array(text, { maxLength: 3 }),
    counts: fc.array(count, few),
    address,
    items: fc.array(item, few),
    matrix: fc.array(
      fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), few),
      few,
    ),
    metadata: fc.dictionary(key, text, { maxKeys: 3 }),
    payment,
    place,
  },
  {
    requiredKeys: [
      "id",
      "state",
      "paid",
      "total",
      "tags",
      "address",
      "metadata",
    ],
  },
);

it("reads back every request that a client can send", async () => {
  const client = createShopClient({
    baseUrl: "http://localhost",
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  await fc.assert(
    fc.asyncProperty(orders, async (request) => {
      await client.order(request);
      expect(seen).toEqual(request);
    }),
    { numRuns: 500 },
  );
});

it("never fails on hostile forms", async () => {
  const piece = fc.constantFrom(
    ..."[ ] = & % + %5B %5D ids in query state __proto__ constructor 0 1 999".split(
      " ",
    ),
    "é",
    "%ff",
    "[]",
    "[0]",
  );
  const bodies = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await server.fetch(
        new Request("http://localhost/search", {
          method: "POST",
          headers: { "content-type": formType },
          body,
        }),
      );
      expect([200, 400]).toContain(answer.status);
    }),
    { numRuns: 2000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
