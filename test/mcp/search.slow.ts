import { expect, it } from "vitest";
import { compileSchema } from "../support/compile-schema.js";
import { drawSome } from "../support/draw-some.js";
import { runMcp } from "./run-mcp.js";
import { serveJson, shopWith, startMcp } from "./start-mcp.js";

const unused = "http://127.0.0.1:1";

const searchTools = ["search", "describe", "call", "read"];

it.each(drawSome([11, 22, 379, 1500], 2))(
  "lists tools for at most 600 tokens for %i methods",
  async (count) => {
    const { client, end, tokens } = await startMcp(shopWith(count), unused);
    const tools = await client.list();
    expect(tools.map(({ name }) => name)).toEqual(searchTools);
    expect(tokens).toBeLessThanOrEqual(600);
    const { text } = await client.call("search", { query: "" });
    expect(text).toMatchObject({ total: count });
    await end();
  },
);

it("lists tools for at most 600 tokens if services have long names", async () => {
  const services = Array.from(
    { length: 40 },
    (_, index) => `service ${"Long".repeat(12)}${index}\n  - Ping()\n`,
  );
  const contract = `${shopWith(3)}\n${services.join("\n")}`;
  const { end, tokens } = await startMcp(contract, unused);
  expect(tokens).toBeLessThanOrEqual(600);
  await end();
});

it("lists up to 10 methods as tools, without output schemas", async () => {
  const { client, end } = await startMcp(shopWith(10), unused);
  const tools = await client.list();
  expect(tools).toHaveLength(11);
  expect(tools[0]).toMatchObject({
    name: "Shop_GetOrder",
    inputSchema: { required: ["id"] },
  });
  expect(tools.at(-1)).toMatchObject({ name: "read" });
  expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
  expect(tools.filter(({ description = "" }) => description === "")).toEqual(
    [],
  );
  await end();
});

it.each([
  ["list", 30, "Shop_GetOrder"],
  ["search", 3, "search"],
])("`--tools %s` replaces the default", async (mode, count, first) => {
  const contract = shopWith(count);
  const { client, end } = await startMcp(contract, unused, "--tools", mode);
  expect((await client.list())[0]).toMatchObject({ name: first });
  await end();
});

it("rejects another value of `--tools`", async () => {
  const mcp = runMcp(["schema/api.ridl", "--url", unused, "--tools", "all"]);
  expect(await mcp.end()).toBe(2);
  expect(mcp.printed().stderr).toContain("Allowed choices are list, search");
});

it("marks `call` as read-only if all methods are", async () => {
  const flags = ["--tools", "search", "--read-only"];
  const { client, end } = await startMcp(shopWith(3), unused, ...flags);
  expect((await client.list())[2]).toMatchObject({
    name: "call",
    annotations: { readOnlyHint: true },
  });
  await end();
});

it("returns matches in pages", async () => {
  const { client, end } = await startMcp(shopWith(30), unused);
  const query = "courier";
  expect(await client.call("search", { query })).toMatchObject({
    isError: false,
    text: { total: 27, nextOffset: 10 },
  });
  const { text } = await client.call("search", { query, offset: 20 });
  expect(Object(text).matches).toHaveLength(7);
  expect(text).not.toHaveProperty("nextOffset");
  expect(await client.call("search", { query: "xylophone" })).toMatchObject({
    text: { matches: [], total: 0, hint: expect.any(String) },
  });
  await end();
});

it("summarizes matches", async () => {
  const { client, end } = await startMcp(shopWith(30), unused);
  const { text } = await client.call("search", { query: "get an order" });
  expect(Object(text).matches.slice(0, 1)).toEqual([
    {
      name: "Shop_GetOrder",
      summary: "Finds an order by its number. The note is included.",
      readOnly: true,
    },
  ]);
  const { text: undocumented } = await client.call("search", {
    query: "cancel",
  });
  expect(Object(undocumented).matches[0]).toEqual({ name: "Shop_CancelOrder" });
  await end();
});

it("describes a method", async () => {
  const { client, end } = await startMcp(shopWith(30), unused);
  const { text } = await client.call("describe", { name: "Shop_GetOrder" });
  expect(text).toMatchObject({
    name: "Shop_GetOrder",
    description: "Finds an order by its number. The note is included.",
    readOnly: true,
    inputSchema: { type: "object", required: ["id"] },
    outputSchema: { type: "object", required: ["order"] },
    errors: [
      {
        name: "OrderNotFound",
        code: 1404,
        status: 404,
        message: "order not found",
        description: "There is no such order.",
      },
    ],
  });
  const { $defs = {}, ...message } = Object(text).outputSchema;
  const accepts = compileSchema({ $defs: { ...$defs, message } }, "message");
  expect(accepts({ order: { id: 1 } })).toBe(true);
  const { text: other } = await client.call("describe", {
    name: "Shop_CancelOrder",
  });
  expect(Object(other).errors.map(Object)).toMatchObject([
    { name: "OrderNotFound" },
    { name: "OrderShipped" },
  ]);
  await end();
});

it("calls a method", async () => {
  const order = { id: 1, note: "gift" };
  const url = await serveJson({ order });
  const { client, end } = await startMcp(shopWith(30), url);
  const name = "Shop_GetOrder";
  expect(await client.call("call", { name, arguments: { id: 1 } })).toEqual({
    isError: false,
    text: { order },
    structured: { order },
    notes: [],
  });
  await end();
});

it("returns a declared error of a called method", async () => {
  const envelope = {
    error: "OrderNotFound",
    code: 1404,
    msg: "order not found",
    status: 404,
  };
  const url = await serveJson(envelope, 404);
  const { client, end } = await startMcp(shopWith(30), url);
  const given = { name: "Shop_GetOrder", arguments: { id: 1 } };
  expect(await client.call("call", given)).toMatchObject({
    isError: true,
    text: envelope,
  });
  await end();
});

/** Invalid arguments, and a part of the cause that the error states. */
const invalid = [
  [
    "call",
    { name: "Shop_GetOrder", arguments: { id: "1" } },
    'id: expected an unsigned 32-bit integer, got "1"',
  ],
  [
    "call",
    { name: "Shop_GetOrdr", arguments: { id: 1 } },
    "name: there is no method Shop_GetOrdr; did you mean Shop_GetOrder?",
  ],
  ["call", { name: "GetOrder" }, "did you mean Shop_GetOrder,"],
  ["describe", { name: "zzz" }, "use `search` to find its name"],
  ["describe", {}, "name: expected a text, got nothing"],
  [
    "describe",
    { nam: "Shop_GetOrder" },
    "nam: there is no such argument; did you mean `name`?",
  ],
  [
    "call",
    { name: "Shop_GetOrder", id: 1 },
    "id: there is no such argument; the arguments are name, arguments",
  ],
  [
    "call",
    { name: "Shop_GetOrder", arguments: '{"id":1}' },
    'arguments: expected an object, got "{\\"id\\":1}"',
  ],
  ["call", { name: "Shop_GetOrder", arguments: [1] }, "expected an object"],
  ["search", { query: 5 }, "query: expected a text, got 5"],
  ["search", { query: "a", offset: -1 }, "offset: expected an integer"],
  ["search", { query: "a", offset: "5" }, "offset: expected an integer"],
  ["search", { query: { long: "a".repeat(100) } }, "…"],
  ["read", { result: 1 }, "result: there is no result 1"],
] as const;

it("returns errors for invalid arguments that say what is wrong", async () => {
  const { client, end } = await startMcp(shopWith(12), unused);
  for (const [name, args, cause] of invalid) {
    expect(await client.call(name, args), cause).toEqual({
      isError: true,
      text: {
        error: "WebrpcBadRequest",
        code: -4,
        msg: "bad request",
        status: 400,
        cause: expect.stringContaining(cause),
      },
      structured: undefined,
      notes: [],
    });
  }
  await end();
});

it.each([
  ["list", "Shop_GetOrdr", "did you mean `Shop_GetOrder`?"],
  ["search", "serch", "did you mean `search`?"],
  ["search", "Shop_GetOrder", "the tools are search, describe, call, read"],
])(
  "an unknown tool is an error with `--tools %s`",
  async (mode, name, help) => {
    const contract = shopWith(3);
    const { client, end } = await startMcp(contract, unused, "--tools", mode);
    await expect(client.call(name, {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(help),
    });
    await end();
  },
);

it("answers a very long query", async () => {
  const { client, end } = await startMcp(shopWith(12), unused);
  const query = "order ".repeat(100_000);
  expect(await client.call("search", { query })).toMatchObject({
    text: { total: 3 },
  });
  await end();
});

it("finds the methods of the platform", async () => {
  const mcp = runMcp(["--url", unused, "--parameter", "network=polygon"]);
  const client = await mcp.connect();
  const missed = [];
  for (const [query, name] of Object.entries(queries)) {
    const { text } = await client.call("search", { query });
    const first = Object(text).matches.slice(0, 3);
    if (!first.some((each: object) => Reflect.get(each, "name") === name)) {
      missed.push(query);
    }
  }
  expect(missed).toEqual([]);
  await mcp.end();
});

/** What an agent could search, and what it should find. */
const queries = {
  "get the price of a swap": "API_GetSwapPrice",
  "quote for swapping tokens": "API_GetSwapQuote",
  "prices of several swaps": "API_GetSwapPrices",
  "is this signature valid": "API_IsValidSignature",
  "verify signed message": "API_IsValidSignature",
  "wallets linked to another wallet": "API_GetLinkedWallets",
  "show all audiences": "Builder_ListAudiences",
  "drop an audience": "Builder_DeleteAudience",
  "delete contacts from audience": "Builder_RemoveAudienceContacts",
  "remove webhook": "Indexer_RemoveWebhookListener",
  "stop sending events to my url": "Indexer_RemoveWebhookListener",
  "subscribe to events": "Indexer_AddWebhookListener",
  "create listener for transfers": "Indexer_AddWebhookListener",
  "best offer for an NFT": "Mar_GetHighestPriceOfferForCollectible",
  "list orders": "Marketplace_GetOrders",
  GetOrders: "Marketplace_GetOrders",
  "fetch metadata of many tokens": "Metadata_GetTokenMetadataBatch",
  "token metdata": "Metadata_GetTokenMetadata",
  "refresh token metadata": "Metadata_EnqueueTokensForRefresh",
  "how do I check whether the refresh is done":
    "Metadata_GetTokenRefreshStatus",
  "contract details": "Metadata_GetContractInfo",
  "name and symbol of a contract": "Metadata_GetContractInfo",
  "sponsor gas": "Relayer_AddGasSponsor",
  "pay the fees of my users": "Relayer_AddGasSponsor",
};
