import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.js";
import { compile, generate, textOf } from "./program.js";

const page = "docs/schemas.md";

const order = { email: "a@b.example", lines: [], tip: "5" };
const invalid = { ...order, lines: [{ product: "ABC-1", quantity: 1 }] };
const message = 'expected a product code such as ABC-1234, got "ABC-1"';

function load({ root }: Sandbox, file: string) {
  return import(pathToFileURL(join(root, "dist", file)).href);
}

// The test in `test/browser/schemas.browser.ts` runs the forms.
test("docs/schemas.md has programs that compile and run", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const programs = [
    "check-line.ts",
    "hono.ts",
    "line-form.tsx",
    "order-form.tsx",
    "trpc.ts",
  ];
  compile(
    sandbox,
    Object.fromEntries(programs.map((path) => [path, textOf(page, path)])),
  );

  // A bundle of one schema contains no code of other schemas or unused forms.
  const { outputFiles } = await build({
    entryPoints: [join(sandbox.root, "dist/check-line.js")],
    bundle: true,
    write: false,
  });
  const bundle = outputFiles[0]?.text ?? "";
  expect(bundle).toContain("ABC-1234");
  expect(bundle).not.toMatch(/PlaceOrder|BigInt|atob|toISOString/u);

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
});
