import { beforeAll, describe, expect, it } from "vitest";
import { fieldsIn } from "../../../runtime/typescript/client/client-method.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n";

const ridl = `${head}
struct Limit
  - note: string
  - limit: uint64
    + header = X-Limit
  - names: []string
    + header = X-Names
  - since?: timestamp
    + header = X-Since

type LimitData: Limit
  + dataOf = LimitReached

error 1429 LimitReached "limit reached" HTTP 429

service Shop
  - Buy(id: string) => (count: uint32) errors LimitReached
  - Follow(id: string) => stream (count: uint32) errors LimitReached
`;

const withBody = `${head}
struct Failure
  - message: string
    + error = message
  - left?: uint32
    + header = X-Left
  - release: string
    + enum = v2
    + header = X-Release

type Failures: Failure
  + errorBody = "application/json"

error 1404 NotFound "not found" HTTP 404

service Shop
  - Buy(id: string) => (count: uint32) errors NotFound
  - Follow(id: string) => stream (count: uint32) errors NotFound
`;

const emit = (text: string): Promise<Exports> =>
  importContract(text, { int64: "bigint", timestamp: "date" });

/** Handlers that never fail. */
const idle = {
  buy: () => ({ count: 1 }),
  async *follow() {
    yield { count: 1 };
  },
};

interface Server {
  fetch(request: Request): Promise<Response>;
}

/** Calls a method whose handler fails with some data, and returns both sides. */
async function buy(
  made: Exports,
  error: string,
  data: object | undefined,
  change: (headers: Headers) => void = () => {},
) {
  const handlers = {
    shop: {
      ...idle,
      buy() {
        const LimitReached = Object(made[error]);
        throw Reflect.construct(LimitReached, data ? [{ data }] : []);
      },
    },
  };
  const onError = (): void => {};
  const server = exportedFunction(
    made,
    "createShopServer",
  )({
    handlers,
    onError,
  }) as Server;
  const sent: { headers?: Headers; body?: unknown } = {};
  const client = exportedFunction(
    made,
    "createShopClient",
  )({
    baseUrl: "http://shop",
    fetch: async (url: string, init: RequestInit) => {
      const response = await server.fetch(new Request(url, init));
      const text = await response.text();
      const headers = new Headers(response.headers);
      change(headers);
      Object.assign(sent, { headers, body: JSON.parse(text) });
      return new Response(text, { status: response.status, headers });
    },
  }) as { buy: { result(request: object): Promise<{ error: object }> } };
  const { error: failure } = await client.buy.result({ id: "a" });
  return { ...sent, failure };
}

/**
 * Reads a stream whose handler fails after an item. A proxy adds headers that
 * are not those of the error.
 */
async function follow(made: Exports, error: string, data: object) {
  async function* fail() {
    yield { count: 1 };
    throw Reflect.construct(Object(made[error]), [{ data }]);
  }
  const server = exportedFunction(
    made,
    "createShopServer",
  )({
    handlers: { shop: { ...idle, follow: fail } },
    onError: () => {},
  }) as Server;
  let body = "";
  const client = exportedFunction(
    made,
    "createShopClient",
  )({
    baseUrl: "http://shop",
    fetch: async (url: string, init: RequestInit) => {
      const response = await server.fetch(new Request(url, init));
      body = await response.text();
      const headers = new Headers(response.headers);
      headers.set("x-limit", "1");
      headers.set("x-left", "1");
      return new Response(body, { headers });
    },
  }) as { follow(request: object): AsyncIterable<object> };
  const items: object[] = [];
  let failure: object = {};
  try {
    for await (const item of client.follow({ id: "a" })) items.push(item);
  } catch (caught) {
    failure = Object(caught);
  }
  expect(items).toEqual([{ count: 1 }]);
  return { body, failure };
}

let plain: Exports;
let bodies: Exports;

beforeAll(async () => {
  [plain, bodies] = await Promise.all([emit(ridl), emit(withBody)]);
});

const data = {
  note: "hourly",
  limit: 18446744073709551615n,
  names: ["a", "b"],
  since: new Date("2030-01-02T03:04:05.678Z"),
};

describe("data of errors in headers", () => {
  it("is sent and read", async () => {
    const { body, failure, headers } = await buy(
      plain,
      "LimitReachedError",
      data,
    );
    expect(body).toMatchObject({ data: { note: "hourly" } });
    expect(Reflect.get(Object(body), "data")).toEqual({ note: "hourly" });
    expect(headers?.get("x-limit")).toBe("18446744073709551615");
    expect(headers?.get("x-names")).toBe("a,b");
    expect(failure).toMatchObject({ name: "LimitReached", data });
  });

  it("leaves out absent fields", async () => {
    const { since: _, ...rest } = data;
    const least = { ...rest, names: [] };
    const { failure, headers } = await buy(plain, "LimitReachedError", least);
    expect(headers?.has("x-since")).toBe(false);
    expect(Reflect.get(failure, "data")).toEqual(least);
  });

  it("is undefined if a header is invalid or missing", async () => {
    for (const change of [
      (headers: Headers) => headers.set("x-limit", "many"),
      (headers: Headers) => headers.delete("x-limit"),
    ]) {
      const args = [plain, "LimitReachedError", data] as const;
      const { failure } = await buy(...args, change);
      expect(failure).toMatchObject({ name: "LimitReached" });
      expect(Reflect.get(failure, "data")).toBeUndefined();
    }
  });

  it("is a mistake of the handler if a header cannot contain it", async () => {
    const { failure, headers } = await buy(plain, "LimitReachedError", {
      ...data,
      names: ["a,b"],
    });
    expect(failure).toMatchObject({ name: "WebrpcBadResponse", status: 500 });
    expect(headers?.has("x-limit")).toBe(false);
  });

  it.each([
    ["envelopes", "LimitReachedError", data],
    ["bodies", "NotFoundError", { left: 3, release: "v2" }],
  ])("is in the last line of a stream with %s", async (form, error, given) => {
    const made = form === "bodies" ? bodies : plain;
    const { body, failure } = await follow(made, error, given);
    const [printed] = JSON.parse(body.split("\n").at(-2) ?? "");
    expect(Object.keys(printed.data)).toEqual(
      expect.arrayContaining(Object.keys(given)),
    );
    expect(Reflect.get(failure, "data")).toMatchObject(given);
  });

  it("can be part of the body of all errors", async () => {
    const { body, failure, headers } = await buy(bodies, "NotFoundError", {
      left: 3,
    });
    expect(body).toEqual({ message: "not found" });
    expect(headers?.get("x-left")).toBe("3");
    expect(headers?.get("x-release")).toBe("v2");
    expect(Reflect.get(failure, "data")).toEqual({
      message: "not found",
      left: 3,
      release: "v2",
    });
  });

  it("is constant in errors that no handler creates", async () => {
    const server = exportedFunction(
      bodies,
      "createShopServer",
    )({
      handlers: { shop: idle },
      cors: { origins: ["https://page.example"] },
    }) as Server;
    const init = { headers: { origin: "https://page.example" } };
    const request = new Request("http://shop/unknown", init);
    const { headers, status } = await server.fetch(request);
    expect(status).toBe(404);
    expect(headers.get("x-release")).toBe("v2");
    expect(headers.get("access-control-expose-headers")).toMatch(/x-left/iu);
  });
});

it("splits a list in a header of any length without delay", () => {
  const spaces = " ".repeat(1_000_000);
  const headers = new Headers({ "x-names": `a${spaces}b ,${spaces}c` });
  expect(fieldsIn(headers, { "x-names": ["names", "texts"] })).toEqual({
    names: [`a${spaces}b`, "c"],
  });
});
