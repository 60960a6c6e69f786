import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { docsEmitter } from "../../generator/4-emit/docs/docs.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import { createExplorerServer } from "../../runtime/typescript/server/explorer.js";
import {
  composeServers,
  type RpcServer,
} from "../../runtime/typescript/server/server.js";
import {
  generateContract,
  loadGenerated,
  readContract,
} from "../behavior/conformance/load-contract.js";
import { listen, type Listening } from "../support/listen.js";
import { findFaults, findLowContrastText } from "./explorer-checks.js";
import { launchChromium } from "./launch-chromium.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

let browser: Browser;
let server: Listening;

beforeAll(async () => {
  const contract = readContract(folder, "unions.ridl");
  const texts = new Map(
    docsEmitter
      .emit(contract, options)
      .map(({ path, text }) => [path.replace("explorer/", ""), text]),
  );
  const page = createExplorerServer(
    (name) => texts.get(name) ?? readFileSync(`dist/explorer/${name}`, "utf8"),
  );
  const generated = await loadGenerated(
    root,
    generateContract(folder, "unions.ridl", options),
  );
  const create = generated["createUnionsServer"] as (
    options: object,
  ) => RpcServer;
  const SoldOut = generated["SoldOutError"] as new (options: object) => Error;
  const echo = (request: Readonly<Record<string, unknown>>) => request;
  const tag = ({ event }: { readonly event: Readonly<{ note?: string }> }) => {
    if (event.note !== "full") return { event };
    const paid = { kind: "paid", amount: 5n, card: "1234" };
    throw new SoldOut({ data: { left: 2, event: paid } });
  };
  const unions = new Proxy(
    {},
    { get: (_, name) => (name === "tag" ? tag : echo) },
  );
  const api = create({ handlers: { unions } });
  server = await listen(createServer(toNodeHandler(composeServers(page, api))));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Opens a method. Scripts must not fail, and nothing must open a dialog. */
async function open(
  method: string,
  settings: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`${server.url}/#Unions.${method}`);
  return page;
}

const variant = (page: Page, of: string) =>
  page.getByLabel(`Variant of ${of}`, { exact: true });

/** Sends the request, and returns the body of the response. */
async function send(page: Page): Promise<unknown> {
  const answered = page.waitForResponse((each) =>
    each.url().includes("/rpc/Unions/"),
  );
  await page.getByRole("button", { name: "Send" }).click();
  return (await answered).json();
}

const refused = (page: Page) => page.locator("form .refused");

test("a variant is chosen and filled in with the keyboard alone", async () => {
  const page = await open("Tag");
  await variant(page, "event").focus();
  await page.keyboard.press("ArrowDown");
  // The choice keeps the focus, so that the next key continues.
  await page.keyboard.press("ArrowDown");
  expect(await variant(page, "event").inputValue()).toBe("2");
  // The tag is not asked for again.
  await page.keyboard.press("Tab");
  await page.keyboard.type("hello");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const body = page.getByRole("region", { name: "Response body" });
  await expect
    .poll(async () => JSON.parse((await body.textContent()) ?? "null"))
    .toEqual({ event: { kind: "", note: "hello" } });
});

test.each([
  ["Tag", "event", ["paid", "shipped, delivered", '""']],
  ["Open", "event", ["paid", "shipped, delivered"]],
  ["Query", "query", ["string", "[]string", "int32", "Near", "Within"]],
  ["Beside", "intent", ["paid", "shipped", "lost"]],
  ["Choice", "payee", ["card", "iban", "both"]],
  ["Hostile", "bad", ["<script>alert(2)</script>", "__proto__, constructor"]],
])(
  "%s accepts what the form of each variant contains",
  async (method, field, names) => {
    const page = await open(method);
    const choice = variant(page, field);
    await choice.waitFor();
    expect(await choice.locator("option").allTextContents()).toEqual(names);
    for (const index of names.keys()) {
      await choice.selectOption(String(index));
      expect(await send(page)).toHaveProperty(field);
    }
  },
);

test("a form keeps the values of variants that are not chosen, and its state when the page is reloaded", async () => {
  const page = await open("Tag");
  await page.getByLabel(/^card/u).fill("1234567");
  await variant(page, "event").selectOption("1");
  await page.getByLabel(/^kind/u).selectOption("delivered");
  await page.getByRole("button", { name: "Add next" }).click();
  await variant(page, "next").selectOption("2");
  await page.getByLabel(/^note/u).fill("inner");
  await variant(page, "event").selectOption("0");
  expect(await page.getByLabel(/^card/u).inputValue()).toBe("1234567");
  await variant(page, "event").selectOption("1");
  await page.reload();
  expect(await variant(page, "event").inputValue()).toBe("1");
  expect(await page.getByLabel(/^kind/u).first().inputValue()).toBe(
    "delivered",
  );
  expect(await page.getByLabel(/^note/u).inputValue()).toBe("inner");
});

test("what the server did not accept is shown at fields of variants in lists, maps and unions", async () => {
  const page = await open("Lists");
  await page.getByRole("button", { name: "Add an item to events" }).click();
  await variant(page, "events 2").selectOption("1");
  await page.getByRole("button", { name: "Add next" }).click();
  await variant(page, "next").selectOption("0");
  for (const card of await page.getByLabel(/^card/u).all())
    await card.fill("1");
  await send(page);
  await expect
    .poll(() => refused(page).allTextContents())
    .toEqual(
      Array<string>(3).fill(
        'expected a string of at least 4 characters, got "1"',
      ),
    );
  for (const card of await page.getByLabel(/^card/u).all()) {
    expect(await card.getAttribute("aria-invalid")).toBe("true");
    await card.fill("1234");
  }
  expect(await refused(page).count()).toBe(0);
  await variant(page, "events 2").selectOption("2");
  expect(await send(page)).toHaveProperty("events.1.kind", "");
});

test("a union whose variants all contain it is shown without end", async () => {
  const page = await open("Tree");
  const choices = page.getByLabel("Variant of left");
  for (let depth = 1; depth <= 5; depth += 1) {
    await choices.last().selectOption("0");
    await expect.poll(() => choices.count()).toBe(depth + 1);
  }
  expect(await send(page)).toEqual({});
});

test("an unknown variant of an open union can be sent as JSON", async () => {
  const page = await open("Open");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await page
    .getByRole("textbox", { name: /JSON/u })
    .fill('{"event":{"kind":"lost","where":[null]}}');
  expect(await send(page)).toEqual({ event: { kind: "lost", where: [null] } });
});

test("the data of an error is shown", async () => {
  const page = await open("Tag");
  await variant(page, "event").selectOption("2");
  await page.getByLabel(/^note/u).fill("full");
  await send(page);
  const body = page.getByRole("region", { name: "Response body" });
  await expect.poll(() => body.isVisible()).toBe(true);
  expect(JSON.parse((await body.textContent()) ?? "")).toMatchObject({
    data: { left: 2, event: { kind: "paid", amount: "5" } },
  });
});

test("the list of models contains unions", async () => {
  const page = await open("Tag");
  await page.goto(`${server.url}/#models`);
  await page.getByRole("heading", { name: /^Unions/u }).waitFor();
  await page.getByRole("link", { name: "Event", exact: true }).click();
  await page.getByRole("heading", { name: "Variants" }).waitFor();
  expect(await page.locator("main").textContent()).toContain('""');
});

test.each(["light", "dark"] as const)(
  "forms of unions are accessible and fit on a telephone (%s)",
  async (colorScheme) => {
    const viewport = { width: 390, height: 844 };
    const page = await open("Lists", { colorScheme, viewport });
    await page.getByRole("button", { name: "Add maybe" }).click();
    for (const method of ["Lists", "Tree", "Hostile", "Choice"]) {
      await page.goto(`${server.url}/#Unions.${method}`);
      await page
        .getByLabel(/^Variant of/u)
        .first()
        .waitFor();
      const summary = page.getByText(/^Variants of/u).first();
      await summary.click();
      expect(await page.evaluate(findFaults)).toEqual([]);
      expect(await page.evaluate(findLowContrastText)).toEqual([]);
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth,
      );
      expect(isWide).toBe(false);
    }
  },
);
