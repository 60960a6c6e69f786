import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  handleTools,
  type Tool,
  type ToolLimits,
} from "../../runtime/typescript/client/mcp.js";
import { inProcess } from "../../runtime/typescript/hosts/in-process.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { compileSchema } from "../support/compile-schema.js";
import { emitCase, goldenCases } from "../support/golden-cases.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import { connectNew, connectOld, type ToolClient } from "./connect.js";

const big = 2n ** 63n;
const order = { id: 1n, note: "gift" };

/**
 * The first mock is called when the waiting handler starts, and the second one
 * when the handler is aborted.
 */
const waits = vi.fn();
const aborted = vi.fn();
let emitted: Exports;

beforeAll(async () => {
  const golden = goldenCases().find(({ name }) => name === "mcp");
  const files = emitCase(golden ?? expect.unreachable());
  emitted = await importEmitted(files, [
    'export * from "/index.js";',
    'export * from "/server.js";',
    'export * from "/mcp.js";',
  ]);
});

const handlers = {
  getOrder: ({ id }: { id: bigint }, { signal }: { signal: AbortSignal }) => {
    if (id === 404n) {
      throw Reflect.construct(Object(emitted["OrderNotFoundError"]), []);
    }
    if (id === 7n) return { order: { ...order, id: big, replaces: order } };
    if (id !== 9n) return { order };
    waits();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        aborted();
        reject(signal.reason);
      });
    });
  },
  changeNote: () => ({ order }),
  listOrders: ({ ids }: { ids: string[] }) => ({
    orders: ids.map((id) => ({ ...order, id: BigInt(id) })),
  }),
  async *watch(_: object, { signal }: { signal: AbortSignal }) {
    for (let id = 0n; id < 3n; id += 1n) yield { order: { ...order, id } };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
  upload: () => ({}),
};

function createTools(limits: ToolLimits = {}, own?: object): readonly Tool[] {
  const create = exportedFunction(emitted, "createShopServer");
  const server = create({
    handlers: { shop: handlers },
    onError: () => {},
  }) as RpcServer;
  const createShopTools = exportedFunction(emitted, "createShopTools");
  const options = { baseUrl: "", fetch: inProcess(server), ...own };
  return createShopTools(options, limits) as readonly Tool[];
}

describe.each([
  ["1", connectOld],
  ["2", connectNew],
])("tools on version %s of the SDK", (_, connect) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect(handleTools(createTools({ maxItems: 2 })));
  });
  afterAll(() => client.close());

  it("include every method that does not transfer files", async () => {
    const tools = await client.list();
    expect(tools.map(({ name }) => name)).toEqual([
      "Shop_GetOrder",
      "Shop_ChangeNote",
      "Shop_ListOrders",
      "Shop_Watch",
    ]);
    expect(tools.slice(0, 2)).toMatchObject([
      {
        title: "GetOrder",
        description: "Finds an order.",
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      {
        description: "Deprecated: use GetOrder",
        annotations: { readOnlyHint: false, idempotentHint: false },
      },
    ]);
  });

  it("return the response, with large integers as strings of digits", async () => {
    const response = {
      order: {
        id: "9223372036854775808",
        note: "gift",
        replaces: { id: 1, note: "gift" },
      },
    };
    const outcome = await client.call("Shop_GetOrder", { id: 7 });
    const { isError, structured, text } = outcome;
    expect(isError).toBe(false);
    expect(structured).toEqual(response);
    expect(text).toEqual(response);
  });

  it("return the whole message for REST reads", async () => {
    const { structured } = await client.call("Shop_ListOrders", { ids: ["5"] });
    expect(structured).toEqual({ orders: [{ id: 5, note: "gift" }] });
  });

  it("report the declared error", async () => {
    const outcome = await client.call("Shop_GetOrder", { id: 404 });
    expect(outcome).toEqual({
      isError: true,
      structured: undefined,
      notes: [],
      text: {
        error: "OrderNotFound",
        code: 1404,
        msg: "order not found",
        status: 404,
      },
    });
  });

  it.each([
    [
      "a value of the wrong type",
      '{ "id": "1" }',
      'id: expected an unsigned integer, got "1"',
    ],
    [
      "a fraction",
      '{ "id": 1.5 }',
      "id: expected an unsigned integer, got 1.5",
    ],
    [
      "an integer that JSON has rounded",
      '{ "id": 18446744073709551615 }',
      "id: expected an unsigned integer, got about 18446744073709552000",
    ],
    [
      "names from Object.prototype",
      '{ "__proto__": { "id": 1 }, "constructor": { "id": 1 } }',
      "id: expected an unsigned integer, got nothing",
    ],
    ["nothing", "{}", "id: expected an unsigned integer, got nothing"],
  ])("reject %s and report its location", async (_, args, cause) => {
    const outcome = await client.call("Shop_GetOrder", JSON.parse(args));
    expect(outcome).toMatchObject({
      isError: true,
      text: { error: "WebrpcBadRequest", cause },
    });
  });

  it.each([[[]], [[".."]], [["1,2"]]])(
    "reject %j, which a path cannot contain",
    async (ids) => {
      const outcome = await client.call("Shop_ListOrders", { ids });
      expect(outcome).toMatchObject({
        isError: true,
        text: {
          error: "WebrpcBadRequest",
          cause: "parameter ids is missing, invalid, or has items with commas",
        },
      });
    },
  );

  it("reject a megabyte of arguments without repeating them", async () => {
    const id = "x".repeat(1_000_000);
    const { isError, text } = await client.call("Shop_GetOrder", { id });
    expect(isError).toBe(true);
    expect(JSON.stringify(text).length).toBeLessThan(500);
  });

  it.each(["Shop_Upload", "constructor", "__proto__", ""])(
    "reject the unknown tool `%s` with a protocol error",
    async (name) => {
      await expect(client.call(name, {})).rejects.toMatchObject({
        code: -32602,
      });
    },
  );

  it("abort the call to the server when the client cancels", async () => {
    waits.mockClear();
    aborted.mockClear();
    const controller = new AbortController();
    const call = client.call("Shop_GetOrder", { id: 9 }, controller.signal);
    const rejected = expect(call).rejects.toThrow();
    await expect.poll(() => waits).toHaveBeenCalled();
    controller.abort();
    await rejected;
    await expect.poll(() => aborted).toHaveBeenCalled();
  });

  it("collect a stream up to a maximum number of items", async () => {
    const { structured } = await client.call("Shop_Watch");
    expect(structured).toEqual({
      items: [
        { order: { id: 0, note: "gift" } },
        { order: { id: 1, note: "gift" } },
      ],
      isComplete: false,
    });
  });
});

it("hides strings that contain credentials from agents", async () => {
  // A failure of the callback must not reach the agent, either.
  const onError = vi.fn(() => Promise.reject(new Error("sec\nret")));
  const headers = { "X-Key": "sec\nret" };
  const { callTool } = handleTools(createTools({}, { headers }), onError);
  const params = { name: "Shop_GetOrder", arguments: { id: 1 } };
  const { content, isError } = await callTool({ params });
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? "")).toEqual({
    error: "WebrpcInternalError",
    code: -7,
    msg: "internal error",
    status: 500,
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError));
});

it("has self-contained schemas that match the messages", async () => {
  const [tool] = createTools();
  const { inputSchema: input, outputSchema } = Object(tool?.definition);
  const { $defs, ...output } = outputSchema;
  const schema = { $defs: { ...$defs, input, output } };
  const isRequest = compileSchema(schema, "input");
  expect(isRequest({ id: 1 })).toBe(true);
  expect(isRequest({ id: "1" })).toBe(false);
  const isResponse = compileSchema(schema, "output");
  expect(isResponse(await tool?.call({ id: 7 }))).toBe(true);
  expect(isResponse({ order: { id: true, note: "" } })).toBe(false);
});

it("collects a stream until its time limit", async () => {
  const headers = { "content-type": "application/x-ndjson" };
  const fetch = async () => new Response(new ReadableStream(), { headers });
  const watch = createTools({ maxMs: 50 }, { fetch }).at(-1);
  const response = await watch?.call({});
  expect(response).toEqual({ items: [], isComplete: false });
});

it("fails a stream whose response does not begin in time", async () => {
  const fetch = (_: string, { signal }: RequestInit) =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const baseUrl = "http://localhost";
  const own = { baseUrl, fetch };
  const { callTool } = handleTools(createTools({ maxMs: 20 }, own));
  const { content, isError } = await callTool({
    params: { name: "Shop_Watch" },
  });
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({
    error: "WebrpcRequestFailed",
    cause:
      "the server did not begin to respond within 0.02 seconds; some servers send nothing before the first item",
  });
});

it("collects a stream for longer than its response took to begin", async () => {
  const watch = createTools({ maxMs: 2_000 }).at(-1);
  const response = await watch?.call({});
  expect(response).toMatchObject({ isComplete: false });
  expect(Object(response).items).toHaveLength(3);
});

it.each([
  [
    "the server reports an error",
    '{"webrpcError":{"error":"OrderNotFound","code":1404,"msg":"order not found","status":404}}',
    "OrderNotFound",
  ],
  ["an item is invalid", '{"order":{}}', "WebrpcBadResponse"],
])("returns the items of a stream in which %s", async (_, line, error) => {
  const first = { order: { id: 1, note: "gift" } };
  const body = `${JSON.stringify(first)}\n${line}\n`;
  const headers = { "content-type": "application/x-ndjson" };
  const own = { fetch: async () => new Response(body, { headers }) };
  const { callTool } = handleTools(createTools({}, own));
  const { content, isError } = await callTool({
    params: { name: "Shop_Watch" },
  });
  expect(isError).toBe(true);
  expect(content.map(({ text }) => JSON.parse(text))).toMatchObject([
    { error },
    { items: [first] },
  ]);
});

it("rejects a response that violates the contract", async () => {
  const [tool] = createTools(
    {},
    { fetch: async () => Response.json({ order: {} }) },
  );
  await expect(tool?.call({ id: 1 })).rejects.toMatchObject({
    reason: "bad-response",
    cause: expect.stringContaining("order.id: expected an unsigned integer"),
  });
});
