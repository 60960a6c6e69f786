import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.js";
import { clientOf } from "../mcp/connect.js";
import { compile, generate, textOf } from "./program.js";

const page = "docs/schemas.md";

const order = { email: "a@b.example", lines: [], tip: "5" };
const invalid = { ...order, lines: [{ product: "ABC-1", quantity: 1 }] };
const message = "expected a product code such as ABC-1234";

function load({ root }: Sandbox, file: string) {
  return import(pathToFileURL(join(root, "dist", file)).href);
}

// The test in `test/browser/schemas.browser.ts` runs the forms.
test("docs/schemas.md has programs that compile and run", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml").replace(
      "- schemas",
      "- schemas-with-json",
    ),
  });
  const programs = [
    "check-line.ts",
    "hono.ts",
    "line-form.tsx",
    "order-form.tsx",
    "print-json-schema.ts",
    "tools.ts",
    "trpc.ts",
  ];
  compile(
    sandbox,
    Object.fromEntries(programs.map((path) => [path, textOf(page, path)])),
  );

  // A bundle of one schema contains no code for other schemas, and no JSON
  // Schema unless the program uses it.
  const { outputFiles } = await build({
    entryPoints: ["check-line.js", "print-json-schema.js"].map((file) =>
      join(sandbox.root, "dist", file),
    ),
    outdir: "/",
    bundle: true,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    expect(text).toContain("ABC-1234");
    expect(text).not.toMatch(/PlaceOrder|BigInt|atob|toISOString/u);
    expect(text.includes("#/$defs/")).toBe(path.includes("json-schema"));
  }

  const { app } = await load(sandbox, "hono.js");
  const post = async (body: unknown): Promise<Response> =>
    app.request("/orders", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect(await (await post(order)).json()).toEqual({ lines: 0, tip: "5" });
  const refused = await post(invalid);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: [{ message, path: ["lines", 0, "product"] }],
  });

  const { appRouter } = await load(sandbox, "trpc.js");
  const { placeOrder } = appRouter.createCaller({});
  expect(await placeOrder({ ...order, tip: 5n })).toEqual({ id: 0 });
  await expect(placeOrder(invalid)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    cause: { issues: [{ message, path: ["lines", 0, "product"] }] },
  });

  const { server } = await load(sandbox, "tools.js");
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const connected = new Client({ name: "test", version: "1.0.0" });
  await connected.connect(near);
  onTestFinished(() => connected.close());
  const client = clientOf(connected);
  expect(await client.list()).toMatchObject([
    {
      inputSchema: {
        required: ["email", "lines"],
        properties: { tip: { type: ["integer", "string", "null"] } },
        $defs: { Line: { required: ["product", "quantity"] } },
      },
      outputSchema: { properties: { id: { type: "integer" } } },
    },
  ]);
  const called = await client.call("place_order", order);
  expect(called).toMatchObject({ isError: false, structured: { id: 0 } });
  const { isError, text } = await client.call("place_order", invalid);
  expect(isError).toBe(true);
  expect(text).toContain(message);
});
