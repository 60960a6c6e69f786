import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  type Browser,
  type BrowserContext,
  type FrameLocator,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { toFragment } from "../../apps/playground/editor/share.js";
import { hostileText } from "../support/hostile-contract.js";
import { listen, type Listening } from "../support/listen.js";
import { findViolations } from "./axe.js";
import { launchChromium } from "./launch-chromium.js";
import { serveFolder } from "./serve-folder.js";

const folder = "dist/playground";

let browser: Browser;
let server: Listening;

beforeAll(async () => {
  await import("../../apps/playground/build.js");
  server = await serveFolder(folder);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Opens the playground, which must not log anything or call other hosts. */
async function open(
  fragment: string | null = "",
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => {
    const url = request.url();
    const isOwn = url.startsWith(server.url) || url.startsWith("data:");
    if (!isOwn && !url.startsWith("blob:")) complaints.push(url);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`${server.url}/#${fragment ?? ""}`);
  return { page, context };
}

const editor = (page: Page) => page.getByLabel("Contract in RIDL");
const problems = (page: Page) => page.getByLabel("Diagnostics");
const code = (page: Page) => page.getByLabel(/^Generated file \S/u).first();

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

/** Shows a generated file. */
async function choose(page: Page, path: string): Promise<void> {
  await page.getByLabel("File", { exact: true }).selectOption(path);
}

/** Opens the mock server's explorer at a method. */
async function openMock(page: Page, method: string): Promise<FrameLocator> {
  await page.getByRole("tab", { name: "Mock server" }).click();
  const explorer = page.frameLocator("iframe");
  await explorer.getByRole("link", { name: method }).first().click();
  return explorer;
}

test("shows a problem, applies its fix, and generates the code again", async () => {
  const { page } = await open();
  await problems(page).getByText("No problems").waitFor();
  await typeAtEnd(page, "\nstruct Shelf\n  - books: []Bok\n");
  await problems(page).getByText("1 problem").waitFor();
  expect(await problems(page).textContent()).toContain("unknown-type");
  expect(await page.locator(".cm-lintRange-error").textContent()).toBe("Bok");
  await page
    .getByText("This is the output of the last version without errors.")
    .waitFor();
  await page.getByRole("button", { name: /^Fix: / }).click();
  await problems(page).getByText("No problems").waitFor();
  await choose(page, "types.ts");
  await code(page).getByText("export interface Shelf").waitFor();
  expect(await code(page).textContent()).toContain("books: Book[];");
});

test("generates code in the chosen language and for other targets", async () => {
  const { page } = await open();
  await choose(page, "server.ts");
  await page.getByLabel("Language").selectOption("javascript");
  await expect
    .poll(() => page.getByLabel("File", { exact: true }).textContent())
    .toContain("server.d.ts");
  await choose(page, "client.js");
  await code(page).getByText("export").first().waitFor();
  await page.getByRole("tab", { name: "OpenAPI" }).click();
  await page
    .getByLabel("Generated file openapi.yaml")
    .getByText("openapi:")
    .waitFor();
});

test("answers calls from the explorer with mock data", async () => {
  const { page } = await open();
  const explorer = await openMock(page, "GetBook");
  await explorer.getByLabel(/^isbn/u).fill("9780262510875");
  await explorer.getByRole("button", { name: "Send" }).click();
  const body = explorer.getByRole("region", { name: "Response body" });
  const { book } = JSON.parse((await body.textContent()) ?? "");
  expect(book.isbn).toMatch(/^97[89][0-9]{10}$/u);
  await explorer.getByLabel(/^isbn/u).fill("1");
  await explorer.getByRole("button", { name: "Send" }).click();
  const reason = explorer.locator("form .refused");
  await reason.getByText('expected an ISBN, got "1"').waitFor();
});

test("shows the explorer's first page after another contract is opened", async () => {
  const { page } = await open();
  const explorer = await openMock(page, "GetBook");
  await explorer.getByRole("heading", { name: "GetBook" }).waitFor();
  await page.getByLabel("Example").evaluate((select: HTMLSelectElement) => {
    select.value = "chat";
    select.dispatchEvent(new Event("change"));
    // On a busy machine, a message that reports the location arrives late.
    const data = { hash: "#Shop.GetBook" };
    const source = document.querySelector("iframe")?.contentWindow ?? null;
    window.dispatchEvent(new MessageEvent("message", { data, source }));
  });
  await explorer.getByRole("heading", { name: "chat" }).first().waitFor();
  expect(await explorer.getByText("Not found").count()).toBe(0);
});

test("shows the mock server on a phone, and ignores other messages to its frame", async () => {
  const { page } = await open("", { viewport: { width: 390, height: 844 } });
  await page.evaluate(() => {
    // In the capture phase, this runs before the page's own listener.
    const send = (): void =>
      document
        .querySelector("iframe")
        ?.contentWindow?.postMessage("from an extension", "*");
    document.addEventListener("load", send, true);
  });
  const explorer = await openMock(page, "GetBook");
  await explorer.getByRole("heading", { name: "GetBook" }).waitFor();
  const box = await page.locator("iframe").boundingBox();
  expect(box?.height).toBeGreaterThan(700);
});

test("the frame of the explorer accepts messages only from the site", async () => {
  const hostile = await listen(
    createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Another site</title>");
    }),
  );
  const context = await browser.newContext();
  onTestFinished(async () => {
    await context.close();
    await hostile.close();
  });
  const url = `${server.url}/explorer/frame.html`;
  for (const how of ["frame", "sandbox", "window"] as const) {
    const page = await context.newPage();
    await page.goto(hostile.url);
    await page.evaluate(
      async ([address, by]) => {
        const frame = document.createElement("iframe");
        if (by === "sandbox") frame.sandbox.add("allow-scripts");
        frame.src = address;
        if (by !== "window") document.body.append(frame);
        const target =
          by === "window" ? window.open(address) : frame.contentWindow;
        // Messages before the page has loaded are lost.
        for (let turn = 0; turn < 20; turn += 1) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          const { port2 } = new MessageChannel();
          target?.postMessage({ html: "Hostile", hash: "" }, "*", [port2]);
        }
      },
      [url, how] as const,
    );
    const frames = context.pages().flatMap((each) => each.frames());
    const attacked = frames.filter((each) => each.url().startsWith(url));
    expect(attacked, how).toHaveLength(1);
    const text = await attacked[0]?.locator("body").textContent();
    expect(text?.trim(), how).toBe("");
    for (const each of context.pages()) await each.close();
  }
});

test("streams mock data", async () => {
  const { page } = await open();
  await page.getByLabel("Example").selectOption("chat");
  const explorer = await openMock(page, "Watch");
  await explorer.getByLabel(/^room/u).fill("lobby");
  await explorer.getByRole("button", { name: "Send" }).click();
  const body = explorer.getByRole("region", { name: "Response body" });
  const [line = ""] = ((await body.textContent()) ?? "").trim().split("\n");
  expect(JSON.parse(line)).toHaveProperty("message.text");
});

test("shares documents through the address", async () => {
  const { context, page } = await open();
  await typeAtEnd(page, "\n# é😀\nstruct Shelf\n  - name: string\n");
  await choose(page, "types.ts");
  await code(page).getByText("export interface Shelf").waitFor();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // The message disappears after a while, which could be before this test looks.
  await page.evaluate("setTimeout = () => {}");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const { page: other } = await open(new URL(link).hash.slice(1));
  await problems(other).getByText("No problems").waitFor();
  await typeAtEnd(other, "");
  expect(await editor(other).innerText()).toContain("# é😀\nstruct Shelf");
});

test("reports a link that is invalid, until the contract changes", async () => {
  const { page } = await open("abcd");
  const notice = page.getByText("The link is invalid or incomplete");
  await notice.waitFor();
  await problems(page).getByText("No problems").waitFor();
  expect(await notice.isVisible()).toBe(true);
  await typeAtEnd(page, "\n# comment\n");
  await notice.waitFor({ state: "hidden" });
});

test("reports a contract that is too large for a link", async () => {
  const { page } = await open();
  await problems(page).getByText("No problems").waitFor();
  // Paste the text, because typing so much takes minutes.
  await editor(page).evaluate(
    (element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    },
    `# ${"a".repeat(98)}\n`.repeat(10_000),
  );
  const notice = page.getByText("The contract is too large for a link.");
  await notice.waitFor();
  await page.getByLabel("Example").selectOption("chat");
  await notice.waitFor({ state: "hidden" });
});

test("navigates from a name to its declaration in another document", async () => {
  const { page } = await open();
  await page.getByLabel("Example").selectOption("orders");
  await page.getByRole("button", { name: "orders.ridl", exact: true }).click();
  const word = editor(page)
    .getByText("buyer: Address", { exact: false })
    .first();
  const box = await word.boundingBox();
  if (box === null) return expect.unreachable();
  await problems(page).getByText("No problems").waitFor();
  await word.click({
    modifiers: ["Control"],
    position: { x: box.width - 4, y: box.height / 2 },
  });
  await page.locator("[aria-current]", { hasText: "common.ridl" }).waitFor();
  const selected = await page.evaluate(() => String(getSelection()));
  expect(selected).toBe("Address");
});

test("completes names", async () => {
  const { page } = await open();
  await typeAtEnd(page, "\nstruct Shelf\n  - first: ");
  await page.keyboard.type("Boo");
  const list = page.getByRole("listbox");
  // Click, because the editor ignores Enter just after the list has changed.
  await list.getByRole("option", { name: /^Book/u }).first().click();
  await expect.poll(() => editor(page).innerText()).toContain("- first: Book");
});

test("offers actions at the cursor, and applies one", async () => {
  const { page } = await open();
  await typeAtEnd(page, "\nstruct Shelf\n  - books: []Volume");
  await problems(page).getByText("1 problem").waitFor();
  await page.keyboard.press("Control+.");
  const dialog = page.getByRole("dialog", { name: "Actions" });
  await dialog.getByRole("button", { name: "Declare struct `Volume`" }).click();
  await problems(page).getByText("1 problem").waitFor({ state: "hidden" });
  expect(await editor(page).innerText()).toContain("struct Volume");
  expect(await dialog.count()).toBe(0);
});

test("shows one dialog for two clicks while the worker is busy", async () => {
  const { page } = await open();
  await problems(page).getByText("No problems").waitFor();
  await page.getByRole("button", { name: "Actions" }).dblclick();
  await page.getByRole("dialog").first().waitFor();
  // The worker answers this after both clicks.
  await page.getByLabel("Language").selectOption("javascript");
  await choose(page, "types.js");
  expect(await page.getByRole("dialog").count()).toBe(1);
});

test("restores the contract with the Back button after an example was opened", async () => {
  const { page } = await open();
  await problems(page).getByText("No problems").waitFor();
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("# My shop\n");
  await page.getByLabel("Example").selectOption("chat");
  await page.locator(".tab.current").getByText("chat.ridl").waitFor();
  await page.goBack();
  await editor(page).getByText("# My shop").waitFor();
});

test("lists references in all documents, and navigates to one", async () => {
  const { page } = await open();
  await page.getByLabel("Example").selectOption("orders");
  await problems(page).getByText("No problems").waitFor();
  await editor(page).getByText("struct Money").click();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("button", { name: "Find references" }).click();
  const dialog = page.getByRole("dialog", { name: "References" });
  await dialog
    .getByRole("button", { name: "struct Money common.ridl:" })
    .waitFor();
  expect(await findViolations(page, "dialog")).toEqual([]);
  await dialog
    .getByRole("button", { name: /orders\.ridl:/u })
    .first()
    .click();
  await page.locator("[aria-current]", { hasText: "orders.ridl" }).waitFor();
  expect(await page.evaluate(() => String(getSelection()))).toBe("Money");
});

test("removes one document for a double click", async () => {
  const paths = ["a.ridl", "b.ridl", "c.ridl"];
  const { page } = await open(
    await toFragment(paths.map((path) => [path, "webrpc = v1\n"])),
  );
  const tabs = page.locator("nav.documents .tab");
  await tabs
    .first()
    .getByRole("button", { name: /^Remove/u })
    .dblclick();
  expect(await tabs.count()).toBe(2);
});

test("shows the signature of the current annotation or method", async () => {
  const { page } = await open();
  await typeAtEnd(page, "\nservice Loans\n  @deprecated");
  await page.keyboard.type(":");
  const tooltip = page.locator(".signature");
  await tooltip.getByText('@deprecated:"what to use instead"').waitFor();
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "hidden" });
  await typeAtEnd(page, "old\n  - Lend(isbn: ISBN) => ()");
  for (let back = 0; back < 9; back++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Shift+Space");
  await tooltip.locator("strong", { hasText: "isbn: ISBN" }).waitFor();
  await page.keyboard.press("Control+Home");
  await tooltip.waitFor({ state: "hidden" });
});

test("renames in all documents", async () => {
  const { page } = await open();
  await page.getByLabel("Example").selectOption("orders");
  await problems(page).getByText("No problems").waitFor();
  await editor(page).getByText("struct Money").click();
  await page.keyboard.press("F2");
  const name = page.getByRole("textbox", { name: "Rename Money" });
  await name.fill("Address");
  await name.press("Enter");
  await page.getByRole("alert").filter({ hasText: /./u }).waitFor();
  await name.fill("Price");
  await name.press("Enter");
  await editor(page).getByText("struct Price").waitFor();
  await page.getByRole("button", { name: "orders.ridl", exact: true }).click();
  await editor(page).getByText("total: Price").first().waitFor();
  await problems(page).getByText("No problems").waitFor();
});

test("keeps text that the user types while the document is being formatted", async () => {
  const text =
    "webrpc = v1\nname = a\nversion = v1.0.0\n\nservice   A\n  - B()\n";
  const { page } = await open(await toFragment([["a.ridl", text]]));
  await editor(page).getByText("service").waitFor();
  await editor(page).focus();
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll("button")];
    buttons.find(({ textContent }) => textContent === "Format")?.click();
    document.execCommand("insertText", false, "# note ");
  });
  await editor(page).getByText("# note webrpc = v1").waitFor();
  await page.getByRole("button", { name: "Format" }).click();
  await editor(page).getByText("service A").waitFor();
  expect(await editor(page).innerText()).toContain("# note webrpc = v1\nname");
});

test("formats a document and highlights it by meaning", async () => {
  const { page } = await open();
  await typeAtEnd(page, "\nstruct   Shelf\n  -   name:string\n");
  await page.getByRole("button", { name: "Format" }).click();
  await expect
    .poll(() => editor(page).innerText())
    .toContain("struct Shelf\n  - name: string");
  await page.locator(".tok-keyword", { hasText: "struct" }).first().waitFor();
  await page.locator(".token-struct", { hasText: "Shelf" }).first().waitFor();
});

test("shows hostile text from contracts as plain text", async () => {
  const text = `webrpc = v1\nname = x\nversion = v1\n\n# ${hostileText.replace(/[\0\n\r]/gu, " ")}\nstruct Evil\n  - a: string\n\nservice S\n  # <img src=x onerror=alert(1)> [a](javascript:alert(1))\n  - M(e: Evil) => (e: Evil)\n`;
  const path = `<img src=x onerror=alert(1)>.ridl`;
  const { page } = await open(await toFragment([[path, text]]));
  await choose(page, "types.ts");
  await code(page).getByText("export interface Evil").waitFor();
  const name = editor(page).getByText("struct Evil").first();
  await name.hover({ position: { x: 60, y: 8 } });
  await page.locator(".markdown").waitFor();
  await openMock(page, "M");
  expect(await page.evaluate("globalThis.hijacked")).toBeUndefined();
});

test("works without a network", async () => {
  const { context, page } = await open();
  await openMock(page, "GetBook");
  // Code that generates files is loaded when it is first used.
  await page
    .getByLabel("File", { exact: true })
    .locator("option")
    .first()
    .waitFor({ state: "attached" });
  await context.setOffline(true);
  await page.getByRole("tab", { name: "Code" }).click();
  await choose(page, "types.ts");
  await typeAtEnd(page, "\nstruct Shelf\n  - name: string\n");
  await code(page).getByText("export interface Shelf").waitFor();
  // The logo is part of the page.
  const logo = page.getByRole("banner").locator("img");
  const isShown = await logo.evaluate(
    (image) => image instanceof HTMLImageElement && image.naturalWidth > 0,
  );
  expect(isShown).toBe(true);
});

test("starts a worker that could not be loaded again only after a change", async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  let loads = 0;
  await context.route("**/language-worker.js", (route) => {
    loads += 1;
    return route.fulfill({ status: 503 });
  });
  await page.goto(`${server.url}/`);
  await problems(page).getByText("The check failed").waitFor();
  await page.getByRole("tab", { name: "OpenAPI" }).click();
  await page.getByRole("tab", { name: "Code" }).click();
  expect(loads).toBeLessThan(4);
  await context.unrouteAll();
  await typeAtEnd(page, "\nstruct Shelf\n  - books: []Bok\n");
  await problems(page).getByText("1 problem").waitFor();
});

test("says that it loads until its script has arrived", async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  let load = (): void => {};
  const isReady = new Promise<void>((resolve) => (load = resolve));
  await context.route("**/main.js", async (route) => {
    await isReady;
    await route.continue();
  });
  await page.goto(`${server.url}/`, { waitUntil: "commit" });
  const message = page.getByText("The playground is loading.");
  await message.waitFor();
  load();
  await editor(page).waitFor();
  expect(await message.count()).toBe(0);
});

test("has the theme that the site remembers, and changes it", async () => {
  const { page } = await open("", { colorScheme: "light" });
  const back = (): Promise<unknown> =>
    page.evaluate("getComputedStyle(document.body).backgroundColor");
  const before = await back();
  await page.getByLabel("Theme").selectOption("dark");
  const after = await back();
  expect(after).not.toBe(before);
  const key = "vitepress-theme-appearance";
  const stored = await page.evaluate((name) => localStorage.getItem(name), key);
  expect(stored).toBe("dark");
  await page.reload();
  expect(await back()).toBe(after);
});

test("waits for a worker that takes long to load", async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  let load = (): void => {};
  const isReady = new Promise<void>((resolve) => (load = resolve));
  await context.route("**/language-worker.js", async (route) => {
    await isReady;
    await route.continue();
  });
  await page.clock.install();
  await page.goto(`${server.url}/`);
  await editor(page).waitFor();
  await problems(page).getByText("Loading the check").waitFor();
  await page.clock.fastForward("01:00");
  load();
  await problems(page).getByText("No problems").waitFor();
});

test("restarts a mock server that could not be loaded when its tab is selected", async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await context.route("**/mock-worker.js", (route) =>
    route.fulfill({ status: 503 }),
  );
  await page.goto(`${server.url}/`);
  const tab = page.getByRole("tab", { name: "Mock server" });
  await tab.click();
  await page.getByText("The mock server failed or did not respond").waitFor();
  await context.unrouteAll();
  await tab.click();
  const explorer = page.frameLocator("iframe");
  await explorer.getByRole("link", { name: "GetBook" }).first().waitFor();
});

// Colors do not depend on the width.
test.each([
  [1440, "light"],
  [390, "dark"],
] as const)(
  "has no accessibility violation at %d px (%s)",
  async (width, colorScheme) => {
    const viewport = { width, height: 900 };
    const { page } = await open("", { colorScheme, viewport });
    await typeAtEnd(page, "\nstruct Shelf\n  - books: []Bok\n");
    await problems(page).getByText("1 problem").waitFor();
    expect(await findViolations(page)).toEqual([]);
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > innerWidth,
    );
    expect(isTooWide).toBe(false);
  },
);

test("has a compressed size of less than 1.5 MB", () => {
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => gzipSync(readFileSync(path)).length);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  expect(size).toBeGreaterThan(100_000);
  expect(size).toBeLessThan(1_500_000);
});
