import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.js";
import { compile, generate, readBlocks, textOf } from "./program.js";

const page = "docs/unions.md";

const printed = readBlocks(page)
  .filter(({ path }) => path === "types.ts")
  .map(({ text }) => text);

function typesOf(sandbox: Sandbox): string {
  return sandbox.snapshot("generated")["types.ts"] ?? "";
}

test("docs/unions.md shows the types that are generated", async () => {
  const contracts = ["orders.ridl", "intents.ridl"];
  const closed = textOf(page, "orders.ridl");
  const open = closed.replace(
    "  + tag = kind",
    "  + tag = kind\n  + open = true",
  );
  expect(open).toContain(textOf(page, "ridl"));
  const generated = await Promise.all([
    ...contracts.map((path) => generate({ [path]: textOf(page, path) })),
    generate({ "orders.ridl": open }),
  ]);
  const types = generated.map(typesOf).join("\n");
  expect(printed).toHaveLength(4);
  for (const text of printed) expect(types).toContain(text);
});

test("docs/unions.md has a program that narrows a union", async () => {
  const sandbox = await generate({
    "orders.ridl": textOf(page, "orders.ridl"),
  });
  compile(sandbox, { "describe.ts": textOf(page, "describe.ts") });
  const load = (file: string) =>
    import(pathToFileURL(join(sandbox.root, "dist", file)).href);
  const { describe } = await load("describe.js");
  expect(describe({ kind: "paid", amount: 5n })).toBe("5 paid");
  expect(describe({ kind: "shipped", at: "" })).toBe("sent with us");

  const { createOrdersServer } = await load("generated/server.js");
  const server = createOrdersServer({
    handlers: { orders: { list: () => ({ events: [] }), record: () => ({}) } },
  });
  const response = await server.fetch(
    new Request("http://localhost/rpc/Orders/Record", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ order: "1", event: { kind: "payed" } }),
    }),
  );
  const { cause } = await response.json();
  expect(`${cause}\n`).toBe(textOf(page, "text"));
});

test("docs/unions.md has a program that narrows a union without a tag", async () => {
  const sandbox = await generate({
    "search.ridl": textOf(page, "search.ridl"),
  });
  expect(typesOf(sandbox)).toContain(
    "export type Query = string | string[] | Near | (Within & { radius?: never });",
  );
  compile(sandbox, { "find.ts": textOf(page, "find.ts") });
  const { describe } = await import(
    pathToFileURL(join(sandbox.root, "dist/find.js")).href
  );
  expect(describe(["a", "b"])).toBe("a, b");
  expect(describe({ city: "Bern", radius: 5 })).toBe("5 km around Bern");
  expect(describe({ city: "Bern" })).toBe("in Bern");
});
