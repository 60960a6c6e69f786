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
}

const put = { verb: "PUT", headers: { ...json, ...token } };

const cases: readonly Case[] = [
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
    title: "a POST of a page from a listed origin",
    verb: "POST",
    path: "/orders/3/reset",
    headers: { ...foreign, origin: "https://own.example" },
    status: 205,
  },
  {
    title: "a header with a comma, and a list in another",
    verb: "PUT",
    path: "/orders/7/note",
    headers: { ...json, "IF-MATCH": ' W/"a, b" ', tags: "a , b,c" },
    body: '{"note":"n"}',
    status: 200,
    seen: { id: 7, revision: 'W/"a, b"', tags: ["a", "b", "c"], note: "n" },
  },
  {
    title: "headers of a read",
    path: "/orders/7/texts",
    headers: { language: "de", state: "open" },
    status: 200,
    seen: { id: 7, language: "de", state: "open" },
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
      if (given.seen !== undefined) expect(seen).toEqual(given.seen);
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
