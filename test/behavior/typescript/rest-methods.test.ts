import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createOrdersHostClient,
  type OrdersHostClient,
} from "../../golden/fixtures/rest-methods/expected/client.js";
import {
  createOrdersServer,
  type OrdersServerOptions,
} from "../../golden/fixtures/rest-methods/expected/server.js";
import { fillParameters } from "../../../runtime/typescript/client/address.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";

let seen: unknown = null;

/** Remembers a request, and returns an order. */
function take(request: object): { order: Order } {
  seen = request;
  return { order };
}

/** Remembers a request, and returns orders. */
function takeOrders(request: object): { orders: Order[] } {
  seen = request;
  return { orders: [order] };
}

interface Order {
  id: number;
  state: "open";
}

const order: Order = { id: 1, state: "open" };

/** What handlers return in headers. */
let copied: { location: string; count?: number; tags: "open"[] };
let revision = "";

/** What handlers with several statuses return. */
let moved: { order?: Order; ids?: number[] } = {};
let merged: { status: number; orders?: Order[] } = { status: 202 };

const options: OrdersServerOptions = {
  handlers: {
    orders: {
      put: take,
      patch: take,
      create: (request) => void take(request),
      delete: (request) => void take(request),
      reset: (request) => void take(request),
      list: takeOrders,
      joined: takeOrders,
      revise: take,
      texts: takeOrders,
      copy: (request) => {
        seen = request;
        return { order, ...copied };
      },
      lock: (request) => {
        seen = request;
        return { revision };
      },
      move: () => moved,
      merge: () => merged,
      first: () => ({ code: 203, order }),
      queue: () => undefined,
      archive: (request) => void take(request),
      json: take,
      count: () => ({ count: 1 }),
    },
  },
  verifyToken: (value) => value === "good",
  methods: { "Orders/Texts": { cacheControl: "private" } },
};

const json = { "content-type": "application/json" };
const mergePatch = { "content-type": "application/merge-patch+json" };
const token = { authorization: "Bearer good" };
const foreign = {
  "sec-fetch-site": "cross-site",
  origin: "https://page.example",
};

interface Case {
  readonly title: string;
  readonly verb?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** What the handler gets. */
  readonly seen?: unknown;
  /** The body, or a part of it. */
  readonly text?: string;
  readonly allow?: string;
}

const put = { verb: "PUT", headers: { ...json, ...token } };

const cases: readonly Case[] = [
  {
    title: "no credential",
    verb: "PUT",
    path: "/orders/7?limit=1",
    status: 401,
  },
  {
    title: "one field as the whole body, and one output",
    verb: "PATCH",
    path: "/orders/7",
    headers: mergePatch,
    body: '{"id":9,"state":"open","note":null}',
    status: 200,
    text: '{"id":1,"state":"open"}',
    seen: { id: 7, order: { id: 9, state: "open" } },
  },
  {
    title: "JSON of another type than the method's",
    verb: "PATCH",
    path: "/orders/7",
    headers: json,
    body: '{"id":9,"state":"open"}',
    status: 415,
    text: "content-type: expected application/merge-patch+json, got ",
  },
  {
    ...put,
    title: "a body without a content type",
    path: "/orders/7?limit=5",
    headers: token,
    body: '{"state":"paid","tags":[]}',
    status: 415,
    text: "content-type: expected application/json, got nothing",
  },
  {
    title: "a DELETE of a page after its preflight",
    verb: "DELETE",
    path: "/orders/1",
    headers: foreign,
    status: 204,
    seen: { ids: [1] },
  },
  {
    title: "a POST of a page without a preflight",
    verb: "POST",
    path: "/orders/3/reset",
    headers: foreign,
    status: 415,
    text: "content-type: expected application/json, got nothing",
  },
  {
    title: "a POST of a page with a preflight",
    verb: "POST",
    path: "/orders/3/reset",
    headers: { ...foreign, ...json },
    status: 205,
    seen: { id: 3 },
  },
  {
    title: "a POST of a form",
    verb: "POST",
    path: "/orders/3/reset",
    headers: { "content-type": "text/plain" },
    body: "{}",
    status: 415,
  },
  {
    title: "a POST of a page from a listed origin",
    verb: "POST",
    path: "/orders/3/reset",
    headers: { ...foreign, origin: "https://own.example" },
    status: 205,
  },
  {
    title: "joined lists, with encoded commas and repeated keys",
    path: "/orders/joined?id=1,2%2C3&notes=a+b,&id=4",
    status: 200,
    seen: { ids: [1, 2, 3, 4], notes: ["a b", ""] },
  },
  {
    title: "joined lists that are absent",
    path: "/orders/joined",
    status: 200,
    seen: { ids: [] },
  },
  {
    title: "the invalid item of a joined list",
    path: "/orders/joined?id=1,x,2",
    status: 400,
    text: "ids[1]: expected ",
  },
  {
    title: "bytes of a joined list that are not UTF-8",
    path: "/orders/joined?id=1&notes=a,%ff",
    status: 400,
    text: "notes: expected text in UTF-8, got other bytes",
  },
  { title: "HEAD", verb: "HEAD", path: "/orders", status: 200, text: "" },
  {
    title: "no path of a call",
    verb: "POST",
    path: "/api/Orders/Reset",
    headers: json,
    body: '{"id":1}',
    status: 404,
  },
  {
    title: "headers and the rest as the body",
    verb: "PUT",
    path: "/orders/7/note?revision=x&limit=1",
    headers: {
      ...json,
      "IF-MATCH": ' W/"a, b" ',
      tags: "a , b,c",
      "X-Limit": "3",
    },
    body: '{"note":"n","revision":"x","limit":9,"tags":["z"]}',
    status: 200,
    seen: {
      id: 7,
      revision: 'W/"a, b"',
      tags: ["a", "b", "c"],
      limit: 3,
      note: "n",
    },
  },
  {
    title: "absent and empty headers",
    verb: "PUT",
    path: "/orders/7/note",
    headers: { ...json, "if-match": "*", tags: "" },
    body: '{"note":"n"}',
    status: 200,
    seen: { id: 7, revision: "*", tags: [], note: "n" },
  },
  {
    title: "a missing field of a header",
    verb: "PUT",
    path: "/orders/7/note",
    headers: json,
    body: '{"note":"n","revision":"x"}',
    status: 400,
    text: "revision: expected a string, got nothing",
  },
  {
    title: "a wrong value in a header",
    verb: "PUT",
    path: "/orders/7/note",
    headers: { ...json, "if-match": "*", "x-limit": "many" },
    body: '{"note":"n"}',
    status: 400,
    text: "limit: expected an unsigned 32-bit integer, got",
  },
  {
    title: "headers of a read",
    path: "/orders/7/texts",
    headers: { language: "de", state: "open" },
    status: 200,
    seen: { id: 7, language: "de", state: "open" },
  },
  {
    title: "a call",
    verb: "POST",
    path: "/api/Orders/Count",
    headers: json,
    body: "{}",
    status: 200,
    text: '{"count":1}',
  },
];

// Conformance has the other cases, on every host.
const everywhere = [...hosts, listenerHost, ...lambdaHosts];

describe.each(sampleOn(everywhere, cases))(
  "REST methods on $name",
  ({ start, sample }) => {
    let running: Running;
    let client: OrdersHostClient;
    beforeAll(async () => {
      const cors = { origins: ["https://own.example"] };
      running = await start(createOrdersServer({ ...options, cors }));
      client = createOrdersHostClient({
        baseUrl: "http://localhost",
        fetch: running.fetch,
        credentials: { token: "good" },
      });
    });
    afterAll(() => running.close());

    it.each(sample)("$title", async (given) => {
      seen = null;
      const { verb = "GET", path, headers = {}, body } = given;
      const answer = await running.send({
        verb,
        path,
        headers,
        body: body === undefined ? null : new TextEncoder().encode(body),
      });
      expect([answer.status, answer.text]).toEqual([
        given.status,
        expect.stringContaining(given.text ?? ""),
      ]);
      if (given.status === 204 || given.status === 205) {
        expect(answer.text).toBe("");
        expect(answer.header("transfer-encoding")).toBe(null);
      }
      if (given.seen !== undefined) expect(seen).toEqual(given.seen);
      if (given.allow) expect(answer.header("allow")).toBe(given.allow);
    });

    it("answers the preflight of each verb", async () => {
      const answer = await running.send({
        verb: "OPTIONS",
        path: "/orders/1",
        headers: {
          origin: "https://own.example",
          "access-control-request-method": "PATCH",
        },
        body: null,
      });
      expect(answer.status).toBe(204);
      expect(answer.header("access-control-allow-methods")).toBe(
        "PUT, PATCH, DELETE",
      );
    });

    it("lets pages send headers, and caches tell their values apart", async () => {
      const origin = { origin: "https://own.example" };
      const preflight = await running.send({
        verb: "OPTIONS",
        path: "/orders/1/note",
        headers: { ...origin, "access-control-request-method": "PUT" },
        body: null,
      });
      expect(preflight.header("access-control-allow-headers")).toBe(
        "Content-Type, Webrpc, Request-Timeout-Ms, Authorization, if-match, tags, x-limit, language, state",
      );
      const read = await running.send({
        verb: "GET",
        path: "/orders/1/texts",
        headers: { state: "paid" },
        body: null,
      });
      expect(read.header("vary")).toBe("Origin, language, state");
    });

    it("returns outputs in headers", async () => {
      const { orders } = client;
      copied = { location: "/orders/8, 9", count: 7, tags: ["open", "open"] };
      expect(await orders.copy({ id: 1 })).toEqual({ order, ...copied });
      copied = { location: "", tags: [] };
      expect(await orders.copy({ id: 1 })).toEqual({ order, ...copied });
      revision = 'W/"1"';
      expect(await orders.lock({ id: 1 })).toEqual({ revision });
      const answer = await running.send({
        verb: "POST",
        path: "/orders/1/copies",
        headers: { origin: "https://own.example", ...json },
        body: null,
      });
      expect([answer.status, answer.text]).toEqual([
        201,
        JSON.stringify(order),
      ]);
      expect(answer.header("access-control-expose-headers")).toBe(
        "Retry-After, location, x-count, tags, etag",
      );
    });

    it("sends and reads the body of each status", async () => {
      const { orders } = client;
      const move = { id: 1, state: "open" } as const;
      const state = JSON.stringify({ state: "open" });
      const put = { verb: "PUT", path: "/orders/1/state", headers: json };
      for (const [response, status, body] of [
        [{ order }, 200, JSON.stringify(order)],
        [{ ids: [1, 2] }, 202, "[1,2]"],
        [{}, 204, ""],
      ] as const) {
        moved = { ...response } as typeof moved;
        expect(await orders.move(move)).toEqual(response);
        const sent = new TextEncoder().encode(state);
        const answer = await running.send({ ...put, body: sent });
        expect([answer.status, answer.text]).toEqual([status, body]);
      }
      for (const response of [
        { status: 200, orders: [order] },
        { status: 201, orders: [] },
        { status: 202 },
      ]) {
        merged = response;
        expect(await orders.merge({ id: 1 })).toEqual(response);
      }
      expect(await orders.first({ id: 1 })).toEqual({ code: 203, order });
      expect(await orders.queue({ id: 1 })).toEqual({});
      const path = "/orders/1/queue";
      const queued = { verb: "POST", path, headers: {}, body: null };
      const answer = await running.send(queued);
      expect([answer.status, answer.text]).toEqual([202, ""]);
    });

    it("fails for a response that fits no status", async () => {
      const { merge, move } = client.orders;
      moved = { order, ids: [] };
      const both = await move.result({ id: 1, state: "open" });
      expect(both.ok ? null : both.error.name).toBe("WebrpcBadResponse");
      for (const response of [
        { status: 200 },
        { status: 202, orders: [] },
        { status: 204 },
      ]) {
        merged = response;
        const failed = await merge.result({ id: 1 });
        expect(failed.ok ? null : failed.error.name).toBe("WebrpcBadResponse");
      }
    });

    it.each(["é", " a", "a\r\nb: c", "\ud800"])(
      "fails for a header that cannot contain %j",
      async (text) => {
        revision = text;
        const failed = await client.orders.lock.result({ id: 1 });
        expect(failed.ok ? null : failed.error.name).toBe("WebrpcBadResponse");
      },
    );

    it("returns what the client sends", async () => {
      const request = {
        id: 2,
        pageSize: 3,
        state: "paid" as const,
        tags: ["ü&=+"],
      };
      const { orders } = client;
      expect(await orders.put(request)).toEqual({ order });
      expect(seen).toEqual(request);
      expect(await orders.create()).toEqual({});
      expect(seen).toEqual({});
      expect(await orders.create({ orders: [order] })).toEqual({});
      expect(seen).toEqual({ orders: [order] });
      expect(await orders.delete({ ids: [1, 2] })).toEqual({});
      expect(await orders.reset({ id: 1 })).toEqual({});
      const states = ["open" as const, "paid" as const];
      const list = { state: states, ids: [3], proto: "a+ &%é" };
      expect(await orders.list(list)).toEqual({ orders: [order] });
      expect(seen).toEqual(list);
      const revised = { id: 2, revision: '"a"', tags: [], note: "n" };
      expect(await orders.revise(revised)).toEqual({ order });
      expect(seen).toEqual(revised);
      const text = { id: 2, language: "", state: "open" as const };
      expect(await orders.texts(text)).toEqual({ orders: [order] });
      expect(seen).toEqual(text);
      for (const joined of [{ ids: [1, 2], notes: ["é&=", ""] }, { ids: [] }]) {
        expect(await orders.joined(joined)).toEqual({ orders: [order] });
        expect(seen).toEqual(joined);
      }
    });
  },
);

describe("a client of REST methods", () => {
  const sent: string[] = [];
  let lastHeaders = new Headers();
  const { orders } = createOrdersHostClient({
    baseUrl: "https://orders.example",
    fetch: (url, { body, headers, method }) => {
      lastHeaders = new Headers(headers);
      const type = lastHeaders.get("content-type");
      sent.push(`${method} ${url} ${type} ${String(body)}`);
      return Promise.resolve(new Response("whatever", { status: 202 }));
    },
  });

  it("sends the verb, the query and the body, and only those", async () => {
    sent.length = 0;
    await orders.put.result({ id: 1, pageSize: 2, state: "open", tags: [] });
    await orders.reset({ id: 1 });
    await orders.delete({ ids: [1] });
    await orders.create();
    await orders.patch.result({ id: 1, order: { id: 2, state: "open" } });
    expect(sent).toEqual([
      'PUT https://orders.example/orders/1?limit=2&beta=true application/json {"state":"open","tags":[]}',
      "POST https://orders.example/orders/1/reset null null",
      "DELETE https://orders.example/orders/1 null null",
      "POST https://orders.example/orders null null",
      'PATCH https://orders.example/orders/1 application/merge-patch+json {"id":2,"state":"open"}',
    ]);
  });

  it("joins lists with commas, and rejects items that contain one", async () => {
    sent.length = 0;
    await orders.joined.result({ ids: [1, 2], notes: ["a&b"] });
    await orders.joined.result({ ids: [], notes: [""] });
    expect(sent).toEqual([
      "GET https://orders.example/orders/joined?id=1,2&notes=a%26b null null",
      "GET https://orders.example/orders/joined?notes= null null",
    ]);
    const request = { ids: [], notes: ["a,b"] };
    await expect(orders.joined(request)).rejects.toThrow(
      new TypeError("parameter notes has a comma or an unpaired surrogate"),
    );
  });

  it("sends fields in headers, which the caller's headers do not replace", async () => {
    sent.length = 0;
    const request = { id: 1, revision: "r", tags: ["a b", "c"], note: "n" };
    const headers = { "If-Match": "caller", "X-Limit": "9" };
    await orders.revise.result(request, { headers });
    expect(sent).toEqual([
      'PUT https://orders.example/orders/1/note application/json {"note":"n"}',
    ]);
    expect(Object.fromEntries(lastHeaders)).toEqual({
      accept: "application/json, */*;q=0.1",
      "content-type": "application/json",
      "if-match": "r",
      tags: "a b,c",
      "x-limit": "9",
    });
  });

  it.each([
    ["revision", { revision: " a" }, "if-match"],
    ["revision", { revision: "a\r\nb: c" }, "if-match"],
    ["revision", { revision: "é" }, "if-match"],
    ["tags", { tags: ["a,b"] }, "tags"],
    ["tags", { tags: [""] }, "tags"],
  ])("rejects text that a header cannot have in %s", async (_, own, name) => {
    sent.length = 0;
    const request = { id: 1, revision: "r", tags: [], note: "n", ...own };
    await expect(orders.revise(request)).rejects.toThrow(
      new TypeError(
        `header ${name} has a value that is not plain text, or an item with a comma`,
      ),
    );
    expect(sent).toEqual([]);
  });

  it("rejects unpaired surrogates in a query as in a path", async () => {
    const request = { state: [], proto: "\ud800" };
    const cause = new TypeError(
      "parameter __proto__ has an unpaired surrogate",
    );
    await expect(orders.list(request)).rejects.toThrow(cause);
    await expect(orders.list.result(request)).rejects.toThrow(cause);
    for (const id of ["\udc00", ".", "a,b", ""]) {
      expect(() => fillParameters("/{id}", { id: [id] })).toThrow(
        new TypeError(
          "parameter id is missing, invalid, or has items with commas",
        ),
      );
    }
    expect(fillParameters("/{id}/{ids}", { id: "a,😀", ids: [1, 2] })).toBe(
      "/a%2C%F0%9F%98%80/1,2",
    );
  });
});
