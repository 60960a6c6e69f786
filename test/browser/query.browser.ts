import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

import { expect, onTestFinished, test } from "vitest";
import { clickAndThen } from "./click-and-then.js";
import { launchChromium } from "./launch-chromium.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { compile, generate, textOf } from "../readme/program.js";
import { listen } from "../support/listen.js";

const page = "docs/query.md";

interface Order {
  readonly id: number;
  readonly note: string;
}

/** The notes that the page has sent. */
const changes: string[] = [];

/** Creates the handlers for the page's contract, with three orders. */
function createHandlers(notFound: () => Error) {
  const orders = ["one", "two", "three"].map((note, at) => ({
    id: at + 1,
    note,
  }));
  const find = (id: number): Order => {
    const order = orders.find((each) => each.id === id);
    if (order === undefined) throw notFound();
    return order;
  };
  return {
    shop: {
      getOrder: ({ id }: { id: number }) => ({ order: find(id) }),
      listOrders: ({ page = {} }: { page?: { page?: number } }) => {
        const number = page.page ?? 1;
        return {
          orders: orders.slice(number - 1, number),
          page: { page: number, more: number < orders.length },
        };
      },
      changeNote: ({ id, note }: Order) => {
        changes.push(note);
        return { order: Object.assign(find(id), { note }) };
      },
      async *watch() {
        for (const order of orders) yield { order };
      },
    },
  };
}

test("the page in docs/query.md loads, pages through orders, changes data, and reports failures", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  compile(sandbox, { "page.tsx": textOf(page, "page.tsx") });
  const { outputFiles } = await build({
    entryPoints: [join(sandbox.root, "dist/page.js")],
    nodePaths: [resolve("node_modules")],
    bundle: true,
    define: { "process.env.NODE_ENV": '"production"' },
    format: "iife",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const load = (file: string) =>
    import(pathToFileURL(join(sandbox.root, "dist/generated", file)).href);
  const { OrderNotFoundError } = await load("errors.js");
  const { createShopServer } = await load("server.js");
  const server: RpcServer = createShopServer({
    handlers: createHandlers(() => new OrderNotFoundError()),
  });
  const answer = toNodeHandler(server);
  const { url, close } = await listen(
    createServer((request, response) => {
      if (request.url?.startsWith("/rpc/")) return answer(request, response);
      response.setHeader("content-type", "text/html");
      response.end(`<body><script>${script}</script></body>`);
    }),
  );
  onTestFinished(close);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(url);

  await tab.getByText("Order 1: one").waitFor();
  await tab.getByText("No order 404.").waitFor();
  await tab.getByText("3 orders came in.").waitFor();
  const items = tab.getByRole("listitem");
  await expect.poll(() => items.allTextContents()).toEqual(["one"]);
  const more = tab.getByRole("button", { name: "More" });
  await more.click();
  await expect.poll(() => items.count()).toBe(2);
  await more.click();
  await expect.poll(() => items.count()).toBe(3);
  await expect.poll(() => more.count()).toBe(0);
  const change = tab.getByRole("button", { name: "Change" });
  await change.evaluate(clickAndThen, "click");
  await tab.getByText("Order 1: changed").waitFor();
  expect(changes).toEqual(["changed"]);
});
