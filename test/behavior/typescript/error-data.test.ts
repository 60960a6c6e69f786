import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import {
  handleTools,
  type Tool,
} from "../../../runtime/typescript/client/mcp.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { emitCase, goldenCases } from "../../support/golden-cases.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const stock = {
  left: 3,
  nextDelivery: new Date("2030-01-02T03:04:05.678Z"),
  similar: [{ isbn: "1", price: 2n ** 80n, note: null }],
};

/** The JSON of {@link stock}. */
const stockJson = {
  left: 3,
  nextDelivery: "2030-01-02T03:04:05.678Z",
  similar: [{ isbn: "1", price: `${2n ** 80n}`, note: null }],
};

const envelope = { error: "SoldOut", code: 1409, msg: "sold out", status: 409 };

const onError = vi.fn();
let emitted: Exports;
/** What the handlers throw. */
let failure: unknown;

beforeAll(async () => {
  const golden = goldenCases().find(({ name }) => name === "error-data");
  const files = emitCase(golden ?? expect.unreachable());
  emitted = await importEmitted(files, [
    'export * from "/index.js";',
    'export * from "/server.js";',
    'export * from "/mcp.js";',
  ]);
});

beforeEach(() => onError.mockReset());

function errorOf(name: string, options: object): unknown {
  return Reflect.construct(Object(emitted[`${name}Error`]), [options]);
}

function serve(): RpcServer {
  const fail = (): never => {
    throw failure;
  };
  const shop = {
    order: fail,
    price: fail,
    search: fail,
    browse: fail,
    async *watch() {
      yield { cents: 1 };
      throw failure;
    },
  };
  const create = exportedFunction(emitted, "createShopServer");
  return create({ handlers: { shop }, onError }) as RpcServer;
}

/** Calls a method whose handler throws `thrown`. */
async function outcomeOf(thrown: unknown, method = "order"): Promise<unknown> {
  failure = thrown;
  return callWith(inProcess(serve()), method);
}

async function callWith(fetch: unknown, method = "order"): Promise<unknown> {
  const create = exportedFunction(emitted, "createShopClient");
  const client = Object(create({ baseUrl: "", fetch }));
  const result = await client[method].result({ isbn: "1", text: "x" });
  return result.error;
}

/** Calls a method whose response is a given envelope. */
function receive(sent: object | string, method?: string): Promise<unknown> {
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  return callWith(async () => new Response(text, { status: 409 }), method);
}

/** Returns the body of the response to a handler that throws `thrown`. */
async function bodyOf(thrown: unknown): Promise<unknown> {
  failure = thrown;
  const response = await serve().fetch(
    new Request("http://localhost/rpc/Shop/Order", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"isbn":"1"}',
    }),
  );
  return response.json();
}

describe("the data of an error", () => {
  it("arrives with methods that list no errors, and is exact", async () => {
    const data = { limit: 2n ** 64n - 1n, key: "k" };
    const thrown = errorOf("QuotaExceeded", { data });
    const error = await outcomeOf(thrown, "search");
    expect(error).toMatchObject({ name: "QuotaExceeded", data });
  });

  it("arrives from a receiver of webhooks", async () => {
    const sold = (): never => {
      throw errorOf("SoldOut", { data: stock });
    };
    const createReceiver = exportedFunction(
      emitted,
      "createShopEventsReceiver",
    );
    const receiver = createReceiver({
      handlers: { shopEvents: { sold } },
    }) as RpcServer;
    const createSender = exportedFunction(emitted, "createShopEventsSender");
    const sender = Object(createSender({ fetch: inProcess(receiver) }));
    const { error } = await sender.sold.result("http://localhost/", {
      isbn: "1",
    });
    expect(error).toMatchObject({ name: "SoldOut", data: stock });
  });

  it("is not enumerable, so that logs do not contain it", async () => {
    const data = { limit: 1n, key: "secret" };
    const thrown = errorOf("QuotaExceeded", { data });
    const received = await outcomeOf(thrown, "search");
    expect(Object.keys(Object(thrown))).not.toContain("data");
    expect(Object.keys(Object(received))).not.toContain("data");
  });
});

describe("a server", () => {
  it.each([
    [
      "a negative count",
      { ...stock, left: -1 },
      "data.left: expected an unsigned 32-bit integer, got -1",
    ],
    ["null", null, "data: expected an object, got null"],
    [
      "no fields",
      {},
      "data.left: expected an unsigned 32-bit integer, got nothing",
    ],
    [
      "an invalid date",
      { ...stock, nextDelivery: new Date(NaN) },
      'data.nextDelivery: expected a timestamp, got "Invalid Date"',
    ],
  ])("reports %s as invalid data and sends none", async (_, data, message) => {
    const body = await bodyOf(errorOf("SoldOut", { data }));
    expect(body).toEqual({
      error: "WebrpcBadResponse",
      code: -5,
      msg: "bad response",
      status: 500,
    });
    expect(onError).toHaveBeenCalledOnce();
    expect(onError.mock.lastCall?.[0].message).toContain(
      "error SoldOut of Shop.Order violates the contract: ",
    );
    expect(onError.mock.lastCall?.[0].message).toContain(message);
  });

  it("hides sensitive values of invalid data", async () => {
    const data = { limit: 1n, key: 77 };
    await outcomeOf(errorOf("QuotaExceeded", { data }), "search");
    expect(onError.mock.lastCall?.[0].failures).toEqual([
      { path: ["data", "key"], expected: "a string", got: "a hidden value" },
    ]);
  });
});

it("is part of the result of a tool, as JSON without rounded integers", async () => {
  failure = errorOf("QuotaExceeded", {
    data: { limit: 2n ** 64n - 1n, key: "k" },
  });
  const create = exportedFunction(emitted, "createShopTools");
  const options = { baseUrl: "", fetch: inProcess(serve()) };
  const { callTool } = handleTools(create(options) as readonly Tool[]);
  const { content, isError } = await callTool({
    params: { name: "Shop_Search", arguments: { text: "x" } },
  });
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({
    error: "QuotaExceeded",
    data: { limit: "18446744073709551615", key: "k" },
  });
});

describe("a client", () => {
  it("reads null for an optional field as absent", async () => {
    const data = { ...stockJson, nextDelivery: null };
    const error = Object(await receive({ ...envelope, data }));
    expect(error.data).toEqual({ left: 3, similar: stock.similar });
  });

  it("ignores data of undeclared errors and inherited names", async () => {
    for (const name of ["Unknown", "toString", "__proto__"]) {
      const error = await receive(
        { ...envelope, error: name, data: stockJson },
        "search",
      );
      expect(error).toMatchObject({ name });
      expect(error).not.toHaveProperty("data");
    }
  });

  it("reads integers that should be text, but not without end", async () => {
    const receiveAll = async (count: number): Promise<unknown> => {
      const similar = Array(count).fill({ isbn: "1", price: 7, note: null });
      const data = { ...stockJson, similar };
      return Object(await receive({ ...envelope, data })).data;
    };
    const read = Object(await receiveAll(1000));
    expect(read.similar[999]).toMatchObject({ price: 7n });
    // Each round validates all data, so the work would grow with its square.
    expect(await receiveAll(50_000)).toBeUndefined();
  });
});
