import { describe, expect, expectTypeOf, test } from "vitest";
import { connect } from "@ridlkit/runtime/client";
import { composeServers, type RpcServer } from "@ridlkit/runtime/server";
import {
  createAuditWebhookSender,
  createPlatformClient,
  createShopHostClient,
  createStockClient,
  createStockWebhookSender,
  NotFoundError,
  PermissionDeniedError,
  shopGetItem,
  stockPing,
  type Item,
  type PlatformOptions,
} from "../golden/fixtures/platform/expected/index.js";
import {
  createShopServer,
  type ShopHandler,
} from "../golden/fixtures/platform/expected/shop/server.js";
import {
  createAuditWebhookReceiver,
  createStockServer,
  createStockWebhookReceiver,
} from "../golden/fixtures/platform/expected/stock/server.js";

const cent: Item = { id: 7, name: "Pin", price: 12_345_678_901_234_567_890n };

/** The state of a request, which contains the caller. */
interface Caller {
  key: string | null;
}

const shop: ShopHandler<Caller> = {
  getItem({ id }, { state }) {
    if (id !== cent.id) throw new NotFoundError({ cause: `item ${id}` });
    return { item: { ...cent, name: `${cent.name} for ${state.key}` } };
  },
  putItem() {
    // Nothing to return.
  },
  async findItem() {
    throw new Error("secret detail");
  },
  readItems({ network, ids }) {
    return { items: ids.map((id) => ({ ...cent, id, name: network })) };
  },
};

const seen: unknown[] = [];

const server = composeServers(
  createShopServer<Caller>({
    handlers: { shop, health: { ping: () => ({}) } },
    createState: () => ({ key: null }),
    verifyAccessKey(value, { state }) {
      state.key = value;
      return value === "good";
    },
    verifySecret: (value) => value === "sesame",
  }),
  createStockServer({
    handlers: {
      stock: {
        count: ({ itemId, shelf }) => ({
          count: itemId + (shelf?.length ?? 0),
        }),
        ping: (_request, { parameters }) => ({
          network: parameters["network"] ?? "",
        }),
      },
    },
    verifyAccessKey: (value) => value === "good",
    acceptParameters: ({ network }) => network === "polygon",
  }),
);

/** Returns a `fetch` that calls the server without a network. */
function fetchFrom({ fetch }: RpcServer) {
  return (url: string, init: RequestInit): Promise<Response> =>
    fetch(new Request(url, init));
}

const options: PlatformOptions = {
  hosts: {
    shop: "https://shop.example.com",
    stock: "https://{network}-stock.example.com/",
  },
  parameters: { network: "polygon" },
  credentials: { accessKey: async () => "good", secret: "sesame" },
  fetch: fetchFrom(server),
};

const platform = createPlatformClient(options);

describe("a call", () => {
  test("is answered by the handler, and every value is exact", async () => {
    const { item } = await platform.shop.getItem({ id: 7 });
    expectTypeOf(item).toEqualTypeOf<Item>();
    expect(item).toEqual({ ...cent, name: "Pin for good" });
    expect(await platform.shop.putItem({ item: cent })).toEqual({});
  });

  test("runs in its own service", async () => {
    expect(await platform.health.ping()).toEqual({});
    expect(await platform.stock.ping()).toEqual({ network: "polygon" });
  });

  test("fills the address with the parameters of the client and the call", async () => {
    const { stock } = platform;
    expect(await stock.count({ itemId: 2, shelf: "ab" })).toEqual({ count: 4 });
    const elsewhere = { parameters: { network: "base" } };
    await expect(stock.ping({}, elsewhere)).rejects.toMatchObject({
      name: "WebrpcBadRoute",
      status: 404,
    });
  });

  test("works without a client object", async () => {
    const connection = connect({ ...options, baseUrl: options.hosts.shop });
    expect((await connection.call(shopGetItem, { id: 7 })).item.id).toBe(7);
    const result = await connection.result(stockPing, {});
    expect(result).toEqual({ ok: true, value: { network: "polygon" } });
  });
});

describe("a failure", () => {
  test("is thrown with the class of its error", async () => {
    const call = platform.shop.getItem({ id: 8 });
    await expect(call).rejects.toBeInstanceOf(NotFoundError);
    await expect(call).rejects.toMatchObject({
      name: "NotFound",
      code: 3000,
      status: 404,
      cause: "item 8",
    });
  });

  test("is returned as a value by `result`", async () => {
    const result = await platform.shop.getItem.result({ id: 8 });
    if (result.ok) throw new Error("not found was expected");
    expect(result.error).toBeInstanceOf(NotFoundError);
    expect(result.error.name).toBe("NotFound");
  });

  test("contains the location of an invalid field, and hides a handler's exception", async () => {
    const tooLarge = platform.shop.getItem({ id: -1 });
    await expect(tooLarge).rejects.toMatchObject({
      name: "InvalidArgument",
      cause: "id: expected an unsigned integer, got -1",
    });
    const broken = await platform.shop.findItem.result({ id: 1 });
    expect(broken).toMatchObject({ ok: false });
    expect(JSON.stringify(broken)).not.toContain("secret detail");
  });

  test("has the error that a credential declares", async () => {
    const stranger = createShopHostClient({
      baseUrl: "https://shop.example.com",
      fetch: fetchFrom(server),
      credentials: { accessKey: "good", secret: "guess" },
    });
    await expect(stranger.shop.putItem({ item: cent })).rejects.toBeInstanceOf(
      PermissionDeniedError,
    );
    const unknown = createShopHostClient({
      baseUrl: "https://shop.example.com",
      fetch: fetchFrom(server),
      credentials: { accessKey: "guess", secret: "guess" },
    });
    const result = await unknown.shop.getItem.result({ id: 7 });
    // The call's error type includes this error, although the method does not
    // declare it.
    expect(!result.ok && result.error.name === "AccessKeyNotFound").toBe(true);
    const nobody = createStockClient({
      baseUrl: "https://polygon-stock.example.com",
      parameters: { network: "polygon" },
      fetch: fetchFrom(server),
    });
    await expect(nobody.count({ itemId: 1 })).rejects.toMatchObject({
      name: "AccessKeyNotFound",
    });
  });
});

test("a REST read takes its request from the path", async () => {
  const urls: string[] = [];
  const { shop } = createPlatformClient({
    ...options,
    fetch: (url, init) => {
      urls.push(`${init.method ?? "GET"} ${url}`);
      return fetchFrom(server)(url, init);
    },
  });
  const { items } = await shop.readItems({ network: "polygon", ids: [1, 2] });
  expect(items.map(({ id, name, price }) => [id, name, price])).toEqual([
    [1, "polygon", cent.price],
    [2, "polygon", cent.price],
  ]);
  expect(urls).toEqual(["GET https://shop.example.com/items/polygon/1,2"]);
});

describe("a webhook", () => {
  const receiver = createAuditWebhookReceiver({
    handlers: { auditWebhook: { happened: (event) => void seen.push(event) } },
  });
  const shelves = createStockWebhookReceiver(
    {
      handlers: {
        stockWebhook: {
          shelfEmpty: (event) => void seen.push(event),
          shelfFull: () => {
            throw new PermissionDeniedError();
          },
        },
      },
    },
    "shelfEmpty",
  );

  test("arrives unchanged at any address", async () => {
    const sender = createAuditWebhookSender({ fetch: fetchFrom(receiver) });
    const event = { what: "sale", amount: 2n ** 70n };
    await sender.happened("https://example.com/any/path?x=1", event);
    expect(seen).toEqual([event]);
  });

  test("is validated by a receiver of a single event", async () => {
    const sender = createStockWebhookSender({ fetch: fetchFrom(shelves) });
    const empty = { shelf: "A", at: "2025-01-01T00:00:00Z" };
    await sender.shelfEmpty("https://example.com/empty", empty);
    expect(seen.at(-1)).toEqual(empty);
    const result = await sender.shelfEmpty.result("https://example.com", {
      shelf: "A",
      at: "yesterday",
    });
    expect(result).toMatchObject({
      ok: false,
      error: { name: "InvalidArgument" },
    });
  });
});
