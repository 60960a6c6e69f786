import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

import { expect, onTestFinished, test } from "vitest";
import { clickAndThen } from "./click-and-then.js";
import { launchChromium } from "./launch-chromium.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import { compile, generate, textOf } from "../readme/program.js";
import { listen } from "../support/listen.js";

const page = "docs/schemas.md";

test("the forms in docs/schemas.md show validation messages next to their fields", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const forms = ["order-form", "line-form"];
  compile(
    sandbox,
    Object.fromEntries(
      forms.map((name) => [`${name}.tsx`, textOf(page, `${name}.tsx`)]),
    ),
  );
  const { outputFiles } = await build({
    entryPoints: forms.map((name) => join(sandbox.root, `dist/${name}.js`)),
    nodePaths: [resolve("node_modules")],
    bundle: true,
    define: { "process.env.NODE_ENV": '"production"' },
    format: "iife",
    outdir: "/",
    write: false,
  });
  const scripts = new Map(
    outputFiles.map(({ path, text }) => [path.replace(".js", ""), text]),
  );
  const { createShopServer } = await import(
    pathToFileURL(join(sandbox.root, "dist/generated/server.js")).href
  );
  const orders: unknown[] = [];
  const placeOrder = (order: unknown) => ({ id: orders.push(order) });
  const answer = toNodeHandler(
    createShopServer({ handlers: { shop: { placeOrder } } }),
  );
  const { url, close } = await listen(
    createServer((request, response) => {
      if (request.url?.startsWith("/rpc/")) return answer(request, response);
      response.setHeader("content-type", "text/html");
      const script = scripts.get(request.url ?? "") ?? "";
      response.end(`<body><script>${script}</script></body>`);
    }),
  );
  onTestFinished(close);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const alerts = () => tab.getByRole("alert").allTextContents();
  const wrongProduct = "expected a product code such as ABC-1234";
  const wrongQuantity = "expected an unsigned 32-bit integer of at least 1";

  await tab.goto(`${url}/order-form`);
  await tab.getByPlaceholder("Quantity").fill("");
  await tab.getByRole("button").click();
  await expect.poll(alerts).toContain(wrongQuantity);
  await tab.getByPlaceholder("Quantity").fill("0");
  await tab.getByPlaceholder("Tip").fill("a lot");
  await tab.getByRole("button").click();
  await expect
    .poll(alerts)
    .toEqual([wrongProduct, wrongQuantity, "expected an integer"]);
  await tab.getByPlaceholder("E-mail").fill("a@b.example");
  await tab.getByPlaceholder("Product").fill("ABC-1234");
  await tab.getByPlaceholder("Quantity").fill("2");
  await tab.getByPlaceholder("Tip").fill("12345678901234567890");
  let calls = 0;
  tab.on("request", () => (calls += 1));
  await tab.getByRole("button").evaluate(clickAndThen, "click");
  await expect.poll(() => orders).not.toEqual([]);
  await tab.evaluate("new Promise(requestAnimationFrame)");
  expect(calls).toBe(1);
  expect(orders).toEqual([
    {
      email: "a@b.example",
      lines: [{ product: "ABC-1234", quantity: 2 }],
      tip: 12345678901234567890n,
    },
  ]);

  await tab.goto(`${url}/line-form`);
  await tab.getByRole("textbox").fill("X");
  await expect.poll(alerts).toEqual([wrongProduct]);
  await tab.getByRole("textbox").fill("ABC-1234");
  await expect.poll(alerts).toEqual([""]);
});
