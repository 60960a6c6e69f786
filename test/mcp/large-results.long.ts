import { expect, it } from "vitest";
import type { ToolClient, ToolOutcome } from "./connect.js";
import { serveJson, shopWith, startMcp } from "./start-mcp.js";

const maxCharacters = 20_000;

function ordersOf(count: number, note: string): object {
  const orders = Array.from({ length: count }, (_, id) => ({ id, note }));
  return { orders, total: count };
}

/** Calls `ListOrders` as a tool. */
async function listOrders(client: ToolClient): Promise<ToolOutcome> {
  const tools = await client.list();
  const name = "Shop_ListOrders";
  return tools.some((tool) => tool.name === name)
    ? client.call(name)
    : client.call("call", { name });
}

/** Reads a result to its end with the arguments that the notes contain. */
async function readAll(
  client: ToolClient,
  first: ToolOutcome,
): Promise<readonly string[]> {
  const texts = [String(first.text)];
  let { notes } = first;
  for (;;) {
    const [, next] = /with (\{.+?\})\./u.exec(notes.join("")) ?? [];
    if (next === undefined) return texts;
    const outcome = await client.call("read", JSON.parse(next));
    const { text } = outcome;
    texts.push(typeof text === "string" ? text : JSON.stringify(text));
    ({ notes } = outcome);
  }
}

it.each(["list", "search"])(
  "with `--tools %s`, cuts a large result and returns the rest on request",
  async (mode) => {
    // Many texts are cut where an emoji, a surrogate pair, could be split.
    const body = ordersOf(1200, "🎁".repeat(16));
    const url = await serveJson(body);
    const flags = ["--tools", mode];
    const { client, end } = await startMcp(shopWith(3), url, ...flags);
    const first = await listOrders(client);
    expect(first).toMatchObject({ isError: false, structured: undefined });
    expect(first.notes).toEqual([
      expect.stringContaining("/orders (a list of 1200, "),
    ]);
    const texts = await readAll(client, first);
    expect(JSON.parse(texts.join(""))).toEqual(body);
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(maxCharacters);
      expect(text).toBe(Buffer.from(text).toString());
    }
    await end();
  },
);

it("returns parts of a large result", async () => {
  const body = ordersOf(2000, "a note");
  const url = await serveJson(body);
  const { client, end } = await startMcp(shopWith(12), url);
  await listOrders(client);
  const read = (path: string, offset = 0) =>
    client.call("read", { result: 1, path, offset });
  expect((await read("/total")).text).toBe(2000);
  expect((await read("/orders/1999")).text).toEqual({
    id: 1999,
    note: "a note",
  });
  const ids = await read("/orders/*/id");
  expect(ids).toMatchObject({ isError: false, notes: [] });
  expect(Object(ids.text)).toHaveLength(2000);
  const notes = await read("/orders/*/note", 5);
  expect(notes.text).toHaveLength(18_001 - 5);
  const orders = await read("/orders");
  expect(orders.notes.join()).toContain(
    "/orders/0 to /orders/1999, /orders/*/id, /orders/*/note",
  );
  await end();
});

it("says why a part cannot be read", async () => {
  const url = await serveJson(ordersOf(2000, "a note"));
  const { client, end } = await startMcp(shopWith(12), url);
  await listOrders(client);
  const cases = [
    ["orders", 0, "path: expected a `/` at the beginning"],
    ["/ordrs", 0, "path: there is no /ordrs; did you mean `orders`?"],
    ["/zzz", 0, "path: there is no /zzz; the parts are orders, total"],
    ["/orders/2000", 0, "expected * or an index from 0 to 1999"],
    ["/orders/length", 0, "path: there is no /orders/length"],
    [
      "/orders/*/nte",
      0,
      "path: there is no /orders/*/nte; did you mean `note`?",
    ],
    ["/total/a", 0, "the value before it has no parts"],
    ["/total", 5, "offset: expected at most 4, got 5"],
  ] as const;
  for (const [path, offset, cause] of cases) {
    const args = { result: 1, path, offset };
    expect(await client.call("read", args), path).toMatchObject({
      isError: true,
      text: { cause: expect.stringContaining(cause) },
    });
  }
  await end();
});

it("fills in null for items without an optional field", async () => {
  const orders = Array.from({ length: 2000 }, (_, id) =>
    id === 0 ? { id, note: "gift" } : { id },
  );
  const url = await serveJson({ orders, total: 2000 });
  const { client, end } = await startMcp(shopWith(12), url);
  await listOrders(client);
  const args = { result: 1, path: "/orders/*/note" };
  const { text } = await client.call("read", args);
  expect(Object(text).slice(0, 2)).toEqual(["gift", null]);
  await end();
});

it("keeps the last eight large results", async () => {
  const url = await serveJson(ordersOf(2000, "a note"));
  const { client, end } = await startMcp(shopWith(12), url);
  for (let count = 0; count < 9; count += 1) await listOrders(client);
  const read = (result: number) =>
    client.call("read", { result, path: "/total" });
  expect(await read(9)).toMatchObject({ isError: false, text: 2000 });
  expect(await read(2)).toMatchObject({ isError: false });
  expect(await read(1)).toMatchObject({
    text: { cause: expect.stringContaining("result: there is no result 1") },
  });
  await end();
});

it("cuts large errors", async () => {
  const envelope = {
    error: "OrderNotFound",
    code: 1404,
    msg: "order not found",
    status: 404,
    cause: "because ".repeat(10_000),
  };
  const url = await serveJson(envelope, 404);
  const { client, end } = await startMcp(shopWith(12), url);
  const name = "Shop_GetOrder";
  const first = await client.call("call", { name, arguments: { id: 1 } });
  expect(first.isError).toBe(true);
  const texts = await readAll(client, first);
  expect(JSON.parse(texts.join(""))).toEqual(envelope);
  await end();
});

it("cuts large descriptions", async () => {
  const fields = Array.from(
    { length: 1000 },
    (_, index) => `  - someField${index}: string\n`,
  );
  const contract = `${shopWith(12)}  - Fill(form: Form) => ()\nstruct Form\n${fields.join("")}`;
  const url = "http://127.0.0.1:1";
  const { client, end } = await startMcp(contract, url);
  const first = await client.call("describe", { name: "Shop_Fill" });
  expect(first.notes.join()).toContain("/inputSchema (");
  const schema = await client.call("read", {
    result: 1,
    path: "/inputSchema/required",
  });
  expect(schema.text).toEqual(["form"]);
  await end();
});
