import {
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";
import { demoAccessKey } from "../../examples/platform/credentials.js";
import { serveExample } from "../../examples/platform/serve.js";
import { docsEmitter } from "../../generator/4-emit/docs/docs.js";
import type { DocsOptions } from "../../generator/4-emit/docs/docs-options.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import {
  createExplorerServer,
  type ExplorerValues,
} from "../../runtime/typescript/server/explorer.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import {
  composeServers,
  type RpcServer,
} from "../../runtime/typescript/server/server.js";
import {
  createShopServer,
  type ShopHandler,
} from "../golden/fixtures/pages/expected/server.js";
import { goldenCases } from "../support/golden-cases.js";
import { hostileText } from "../support/hostile-contract.js";
import { listen, type Listening } from "../support/listen.js";
import { chooseAgain } from "./choose-again.js";
import { findViolations } from "./axe.js";
import { findLowContrastText, findFaults } from "./explorer-checks.js";
import { launchChromium } from "./launch-chromium.js";
import { createRooms } from "./rooms.js";

let browser: Browser;
const servers: Listening[] = [];
const closers: (() => Promise<void>)[] = [];
/**
 * The origins of the platform, of the rooms, of a page that may not call the
 * rooms, and of a contract with hostile text.
 */
let platform = "";
let roomsUrl = "";
let elsewhere = "";
let hostile = "";
/** The origin of a page whose server supplies values for its forms. */
let filled = "";
/**
 * The origins of a contract without services, and of a contract with 500
 * methods.
 */
let empty = "";
let large = "";
/** The origin of a server whose methods return pages. */
let paged = "";
const rooms = createRooms();

async function serve(listener: RequestListener): Promise<string> {
  const server = await listen(createServer(listener));
  servers.push(server);
  return server.url;
}

/** Serves pages of every origin. */
function serveAnyPage(listener: RequestListener): Promise<string> {
  return serve((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") response.end();
    else listener(request, response);
  });
}

function explorerOf(
  contract: Contract,
  options: EmitOptions,
  docs: DocsOptions,
  values?: ExplorerValues,
): RpcServer {
  const emitted = docsEmitter.with(docs).emit(contract, options);
  const texts = new Map(
    emitted.map(({ path, text }) => [path.replace("explorer/", ""), text]),
  );
  const built = (name: string): string =>
    readFileSync(`dist/explorer/${name}`, "utf8");
  return createExplorerServer((name) => texts.get(name) ?? built(name), {
    ...(values !== undefined && { values }),
  });
}

function goldenExplorer(
  name: string,
  docs: DocsOptions,
  values?: ExplorerValues,
): RpcServer {
  const golden = goldenCases().find((each) => each.name === name);
  if (golden === undefined) throw new Error(`no case ${name}`);
  const { contract, options, settings } = golden;
  const all = { ...Object(settings["docs"]), ...docs };
  return explorerOf(contract, options, all, values);
}

const longText = "Long".repeat(60);

/** A contract with 500 methods that have long names and descriptions. */
const manyMethods = `service Library
${Array.from({ length: 500 }, (_, index) => `  # ${longText} ${longText} <b>bold</b>\n  - Get${longText}${index}(isbn: string) => (title: string)`).join("\n")}
`;

function compiledExplorer(text: string): RpcServer {
  const head = "webrpc = v1\nname = library\nversion = v1.0.0\n\n";
  const { value } = compileContract(["library.ridl"], {
    read: () => head + text,
  });
  if (value === null) throw new Error("the contract does not compile");
  return explorerOf(
    value,
    {
      int64: "bigint",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    },
    {},
  );
}

const pagedShop: ShopHandler = {
  listOrders: () => ({ orders: [], page: {} }),
  listNotes: ({ cursor, owner }) =>
    cursor === undefined
      ? { notes: [`first of ${owner}`], nextCursor: "2" }
      : { notes: [`last of ${owner}`] },
  listParts: () => ({ orders: [] }),
  listHeld: () => ({ orders: [] }),
  listAll: () => ({ "all-orders": [] }),
  listBoth: () => ({ orders: [], notes: [] }),
  listOrdersPaging: () => ({ notes: [] }),
  listNumbered: () => ({ notes: [] }),
  listLinked: () => ({ notes: [] }),
  async *watch() {},
};

beforeAll(async () => {
  const example = await serveExample(0, () => {});
  platform = example.baseUrl;
  closers.push(() => example.close());
  const page = goldenExplorer("explorer", { addresses: { rooms: "/" } });
  roomsUrl = await serve(toNodeHandler(composeServers(page, rooms.server)));
  elsewhere = await serve(toNodeHandler(page));
  hostile = await serve(
    toNodeHandler(goldenExplorer("hostile", { title: hostileText })),
  );
  const values = {
    requests: { "Rooms.Find": { names: ["attic", "cellar", "roof"] } },
    fields: { room: "attic", id: 18446744073709551615n, text: 7 },
  };
  filled = await serve(toNodeHandler(goldenExplorer("explorer", {}, values)));
  empty = await serve(
    toNodeHandler(compiledExplorer("struct Book\n  - isbn: string\n")),
  );
  large = await serve(toNodeHandler(compiledExplorer(manyMethods)));
  const shop = createShopServer({ handlers: { shop: pagedShop } });
  const shopPage = goldenExplorer("pages", { addresses: { shop: "/" } });
  paged = await serve(toNodeHandler(composeServers(shopPage, shop)));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  for (const close of closers) await close();
  for (const server of servers) await server.close();
});

/**
 * Opens a page. Scripts, styles, and the security policy must not cause errors.
 */
async function open(
  url: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const text = message.text();
    // Error responses are expected, including those that CORS hides.
    const isAnswer = /status of [45]|CORS|net::ERR_/u.test(text);
    if (message.type() === "error" && !isAnswer) complaints.push(text);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(url);
  return page;
}

const send = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Send" }).click();

/** Returns the sentence that screen readers announce. */
function spoken(page: Page): Promise<string> {
  const status = page.locator(".console [role=status]");
  return status
    .filter({ hasNotText: /^(?:Sending\.)?$/u })
    .textContent()
    .then((text) => text ?? "");
}

const outcome = (page: Page) => page.locator(".outcome");
const curl = (page: Page) => page.getByRole("region", { name: "curl" });

describe("a call", () => {
  test("succeeds, and shows its response and a curl command without keys", async () => {
    const page = await open(`${platform}/#API.GetSwapPrice`);
    await page.getByLabel("X-Access-Key", { exact: true }).fill(demoAccessKey);
    await page.getByLabel(/^buyAmount/u).fill("2000");
    await send(page);
    expect(await spoken(page)).toMatch(
      /^200 OK\. \d+ milliseconds, \d+ bytes\.$/u,
    );
    const body = page.getByRole("region", { name: "Response body" });
    const answer = JSON.parse((await body.textContent()) ?? "");
    expect(answer.swapPrice.price).toMatch(/^20\d\d$/u);
    expect(await outcome(page).locator("summary").textContent()).toMatch(
      /^Headers \(\d+\)$/u,
    );
    const command = (await curl(page).textContent()) ?? "";
    expect(command).toContain(`curl '${platform}/rpc/API/GetSwapPrice'`);
    expect(command).toContain('"buyAmount": "2000"');
    expect(command).toContain('-H "X-Access-Key: $ACCESS_KEY"');
    expect(await page.content()).not.toContain(demoAccessKey);
    await page.getByLabel("Include the values of keys").check();
    expect(await curl(page).textContent()).toContain(demoAccessKey);
    expect(page.url()).toBe(`${platform}/#API.GetSwapPrice`);
  });

  test("fails with a typed error, and shows the error's description from the contract", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`);
    await page.getByLabel("X-Access-Key", { exact: true }).fill("wrong");
    await send(page);
    expect(await spoken(page)).toContain("AccessKeyNotFound: Access key not");
    expect(await outcome(page).textContent()).toContain("401 Unauthorized");
    await page.getByLabel("X-Access-Key", { exact: true }).fill(demoAccessKey);
    await send(page);
    const failure = page.locator(".failure");
    await failure.getByText("PermissionDenied").waitFor();
    const text = (await failure.textContent()) ?? "";
    expect(text).toContain("code 1001");
    expect(text).toContain("projectId: the keys belong to project 1");
    expect(text).toContain(
      "The caller is known but is not allowed to do this.",
    );
  });

  test("is sent even if its message is invalid", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`);
    await page.getByLabel("X-Access-Key", { exact: true }).fill(demoAccessKey);
    const projectId = page.getByLabel(/^projectId/u);
    await projectId.fill("many");
    await projectId.blur();
    expect(await projectId.getAttribute("aria-invalid")).toBe("true");
    const advice = await projectId.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${advice}"]`).textContent()).toBe(
      "expected an unsigned integer",
    );
    await send(page);
    expect(await spoken(page)).toContain("InvalidArgument");
    expect(await page.locator(".cause").textContent()).toBe(
      'projectId: expected an unsigned integer, got "many"',
    );
  });

  test("needs only one click on Send while a field has an invalid value", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`);
    await page.getByLabel("X-Access-Key", { exact: true }).fill(demoAccessKey);
    const projectId = page.getByLabel(/^projectId/u);
    await projectId.fill("many");
    const place = await page
      .getByRole("button", { name: "Send" })
      .boundingBox();
    if (place === null) return expect.unreachable();
    await page.mouse.move(place.x + place.width / 2, place.y + 2);
    await page.mouse.down();
    await page.mouse.up();
    expect(await spoken(page)).toContain("InvalidArgument");
    expect(await projectId.getAttribute("aria-invalid")).toBe("true");
  });

  test("shows at each field what the server did not accept", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Say`);
    await page.getByLabel("Authorization", { exact: true }).fill("let-me-in");
    const room = page.getByLabel(/^room/u);
    await room.fill("größe");
    const text = page.getByLabel(/^text/u).first();
    await text.fill("");
    await send(page);
    expect(await spoken(page)).toContain("WebrpcBadRequest");
    const notes = page.locator("form .refused");
    expect(await notes.allTextContents()).toEqual([
      'expected a room name, got "größe"',
      'expected a string of at least 1 character, got ""',
    ]);
    for (const field of [room, text]) {
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const id = await field.getAttribute("aria-describedby");
      expect(await page.locator(`#${id}`).textContent()).toContain(", got ");
    }
    await send(page);
    await expect.poll(() => notes.count()).toBe(2);
    await room.fill("lobby");
    expect(await room.getAttribute("aria-invalid")).toBe(null);
    expect(await notes.count()).toBe(1);
    await text.fill("hello");
    expect(await notes.count()).toBe(0);
  });

  test("has a button for the next page of its response", async () => {
    const page = await open(`${paged}/#Shop.ListNotes`);
    await page.getByLabel(/^owner/u).fill("ann");
    await send(page);
    const body = page.getByRole("region", { name: "Response body" });
    await body.getByText("first of ann").waitFor();
    const next = page.getByRole("button", { name: "Next page" });
    await next.click();
    await body.getByText("last of ann").waitFor();
    expect(await next.count()).toBe(0);
    expect(await page.getByLabel(/^cursor/u).inputValue()).toBe("2");
    expect(await page.getByLabel(/^owner/u).inputValue()).toBe("ann");
    const focused = page.locator("button:focus");
    await expect.poll(() => focused.textContent()).toBe("Send");
  });

  test.each([
    [1e6, 1],
    [3e6, 0],
  ])(
    "has a button for the next page of %d characters: %d",
    async (length, count) => {
      const json = { notes: ["a".repeat(length)], nextCursor: "2" };
      const url = await serveAnyPage((_, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(json));
      });
      const page = await open(`${paged}/#Shop.ListNotes`);
      await page.getByLabel("Base address").fill(url);
      await send(page);
      await outcome(page).getByText("200 OK").waitFor();
      const next = page.getByRole("button", { name: "Next page" });
      expect(await next.count()).toBe(count);
    },
  );

  test("keeps what the user entered when the page is reloaded, except secrets", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Say`);
    const room = page.getByLabel(/^room/u);
    await room.fill("attic");
    await page.getByLabel(/^text/u).first().fill("a?b#c%20 é");
    await page.getByLabel(/^secret/u).fill("hidden");
    await page.goto(`${roomsUrl}/#Rooms.Listen`);
    const other = await page.getByLabel(/^room/u).inputValue();
    await page.reload();
    expect(await page.getByLabel(/^room/u).inputValue()).toBe(other);
    await page.goto(`${roomsUrl}/#Rooms.Say`);
    expect(await room.inputValue()).toBe("attic");
    const text = page.getByLabel(/^text/u).first();
    expect(await text.inputValue()).toBe("a?b#c%20 é");
    expect(await page.getByLabel(/^secret/u).inputValue()).toBe("");
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
    expect(kept).toContain("attic");
    expect(kept).not.toContain("hidden");
    expect(kept).not.toContain("Rooms.Listen");
  });

  test("keeps its Send button in place when advice appears", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`);
    const button = page.getByRole("button", { name: "Send" });
    const before = await button.boundingBox();
    const projectId = page.getByLabel(/^projectId/u);
    await projectId.fill("many");
    await projectId.blur();
    expect(await projectId.getAttribute("aria-invalid")).toBe("true");
    expect(await button.boundingBox()).toEqual(before);
  });

  test("dims its response after the request changes", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`);
    const projectId = page.getByLabel(/^projectId/u);
    const opacity = (): Promise<string> =>
      page
        .locator(".outcome-place")
        .evaluate((place) => getComputedStyle(place).opacity);
    await page.getByLabel("X-Access-Key", { exact: true }).fill(demoAccessKey);
    await projectId.fill("1");
    await send(page);
    await outcome(page).waitFor();
    expect(await opacity()).toBe("1");
    await projectId.fill("2");
    expect(await opacity()).toBe("0.5");
    await projectId.fill("1");
    expect(await opacity()).toBe("1");
    await projectId.fill("2");
    await send(page);
    await expect.poll(opacity).toBe("1");
  });

  test("reports that CORS blocked it", async () => {
    const page = await open(`${elsewhere}/#Rooms.Clear`);
    await page.getByLabel("Base address").fill(roomsUrl);
    await send(page);
    expect(await spoken(page)).toMatch(/^Blocked by CORS\. /u);
    const text = (await outcome(page).textContent()) ?? "";
    expect(text).toContain(`does not allow pages from ${elsewhere} to read`);
  });

  test("reports that the server does not respond", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Clear`);
    await page.getByLabel("Base address").fill("http://127.0.0.1:1");
    await send(page);
    expect(await spoken(page)).toMatch(/^No response\. .*127\.0\.0\.1:1/u);
    await page.getByLabel("Base address").fill("127.0.0.1");
    await send(page);
    expect(await page.getByRole("alert").textContent()).toBe(
      "The base address must start with http:// or https://.",
    );
  });

  test("reports that the response is incomplete, not that CORS blocked it", async () => {
    const broken = await serveAnyPage((_, response) => {
      response.setHeader("content-length", "100");
      response.write("{", () => response.destroy());
    });
    const page = await open(`${roomsUrl}/#Rooms.Clear`);
    await page.getByLabel("Base address").fill(broken);
    await send(page);
    expect(await spoken(page)).toMatch(/^Incomplete response\./u);
  });

  test("shows the beginning of an error with megabytes of text", async () => {
    const msg = "word ".repeat(3_000_000);
    const wordy = await serveAnyPage((_, response) => {
      response.statusCode = 500;
      response.end(
        JSON.stringify({ error: "Wordy", code: 1, msg, cause: msg }),
      );
    });
    const page = await open(`${roomsUrl}/#Rooms.Clear`);
    await page.getByLabel("Base address").fill(wordy);
    await send(page);
    expect(await spoken(page)).toMatch(/^Wordy: (?:word ){4000}\. /u);
    const cause = await page.locator(".cause").textContent();
    expect(cause).toHaveLength(20_000);
  });

  test("shows the error that ends a stream, and what arrived before it", async () => {
    const cut = await serveAnyPage((_, response) => {
      response.setHeader("content-type", "application/x-ndjson");
      response.end('{"message":{"id":1}}\n{"message":');
    });
    const page = await open(`${roomsUrl}/#Rooms.Listen`);
    await page.getByLabel("Base address").fill(cut);
    await send(page);
    expect(await spoken(page)).toMatch(/^WebrpcStreamLost: stream lost\. /u);
    expect(await page.locator(".cause").textContent()).toBe(
      "the last line is cut off",
    );
    await page.getByText("Response body", { exact: true }).click();
    const body = page.getByRole("region", { name: "Response body" });
    expect(await body.textContent()).toBe(
      '{"message":{"id":1}}\n{"message":\n',
    );
  });

  test("can be aborted without losing the focus", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Say`);
    await page.getByLabel("Authorization", { exact: true }).fill("let-me-in");
    await page.getByLabel(/^room/u).fill("slow");
    await page.getByLabel(/^id/u).fill("1");
    await page.getByLabel(/^text/u).fill("x");
    await page.getByLabel(/^at /u).fill("2026-01-31T12:00:00Z");
    await page.getByLabel(/^data/u).fill("AQI=");
    await send(page);
    await expect
      .poll(() => rooms.received.at(-1))
      .toMatchObject({ room: "slow" });
    const abort = page.getByRole("button", { name: "Abort" });
    await abort.focus();
    await page.keyboard.press("Enter");
    expect(await spoken(page)).toMatch(/^Aborted\./u);
    expect(await page.evaluate("document.activeElement.textContent")).toBe(
      "Send",
    );
    await expect.poll(() => rooms.left).toContain("slow");
  });

  test("uses REST addresses", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Find`);
    await page.getByLabel(/^names 2/u).fill("b-c");
    expect(await curl(page).textContent()).toBe(
      `curl '${roomsUrl}/rooms/lobby,b-c/LOW'`,
    );
    await page.getByLabel(/^level/u).selectOption("HIGH");
    await send(page);
    expect(await spoken(page)).toMatch(/^200 OK/u);
    expect(rooms.received.at(-1)).toEqual({
      names: ["lobby", "b-c"],
      level: "HIGH",
    });
  });

  test("shows the items of a stream as they arrive", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Listen`);
    await page.getByLabel(/^room/u).fill("endless");
    await send(page);
    const lines = page.getByLabel("Items so far");
    await lines.getByText("m3").waitFor();
    await page.getByRole("button", { name: "Abort" }).click();
    expect(await spoken(page)).toMatch(/^Aborted\./u);
    await expect.poll(() => rooms.left).toContain("endless");
    expect(await lines.textContent()).toContain("m3");
    await page.getByLabel(/^room/u).fill("lobby");
    await send(page);
    await outcome(page).getByText("200 OK").waitFor();
    const body = page.getByRole("region", { name: "Response body" });
    expect((await body.textContent())?.trim().split("\n")).toHaveLength(3);
    await page.getByLabel(/^room/u).fill("none");
    await send(page);
    await page.locator(".failure").getByText("NoSuchRoom").waitFor();
    expect(await spoken(page)).toMatch(/^NoSuchRoom: no such room\./u);
  });

  test("keeps up with a fast stream", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Listen`);
    await page.getByLabel(/^room/u).fill("torrent");
    await send(page);
    await outcome(page).getByText("200 OK").waitFor({ timeout: 60_000 });
    const body = page.getByRole("region", { name: "Response body" });
    expect((await body.textContent())?.trim().split("\n")).toHaveLength(3003);
  });

  test("ends when the user navigates away", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Listen`);
    await page.getByLabel(/^room/u).fill("endless");
    const before = rooms.left.length;
    await send(page);
    await page.getByLabel("Items so far").getByText("m3").waitFor();
    await page.goto(`${roomsUrl}/#Rooms.Clear`);
    await expect.poll(() => rooms.left.length).toBe(before + 1);
  });

  test("sends and saves files", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Upload`);
    const file = {
      name: `a"b.txt`,
      mimeType: "text/plain",
      buffer: Buffer.from("hello"),
    };
    await page.getByLabel(/^picture/u).setInputFiles(file);
    await page.getByRole("button", { name: "Add others" }).click();
    await page.getByLabel(/^others 1/u).setInputFiles(file);
    await page.getByRole("button", { name: "Add an item to others" }).click();
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByRole("button", { name: "Edit as a form" }).click();
    for (const name of [/^picture/u, /^others 1/u]) {
      const shown = await page.getByLabel(name).inputValue();
      expect(shown).toBe(`C:\\fakepath\\a"b.txt`);
    }
    await send(page);
    expect(await spoken(page)).toMatch(/^200 OK/u);
    expect(rooms.received.at(-1)).toEqual(["lobby", `a"b.txt`, 5, 1]);
    await page.goto(`${roomsUrl}/#Rooms.Download`);
    await send(page);
    await page.evaluate(() => {
      const revoke = URL.revokeObjectURL;
      URL.revokeObjectURL = (url) => {
        document.body.dataset["revoked"] = url;
        revoke(url);
      };
    });
    const save = page.getByRole("link", { name: "Save größe of lobby.txt" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      save.click(),
    ]);
    expect(download.suggestedFilename()).toBe("größe of lobby.txt");
    expect(readFileSync(await download.path())).not.toHaveLength(0);
    // Until then, the address keeps the body in memory.
    const revoked = () => page.evaluate(() => document.body.dataset["revoked"]);
    const address = await save.getAttribute("href");
    expect(address).toMatch(/^blob:/u);
    await expect.poll(revoked).toBe(address);
  });

  test("explains that a file has changed, and sends it when it is chosen again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "upload-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "a.txt");
    writeFileSync(file, "hello");
    utimesSync(file, 1e9, 1e9);
    const page = await open(`${roomsUrl}/#Rooms.Upload`);
    await page.getByLabel(/^picture/u).setInputFiles(file);
    await send(page);
    await outcome(page).getByText("200 OK").waitFor();
    writeFileSync(file, "hello again");
    await send(page);
    await outcome(page).getByText("The file a.txt has changed").waitFor();
    await chooseAgain(page, file);
    await send(page);
    await outcome(page).getByText("200 OK").waitFor();
    expect(rooms.received.at(-1)).toEqual(["lobby", "a.txt", 11, 0]);
  });
});

describe("the form", () => {
  test("accepts every kind of value", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Say`);
    await page.getByLabel("Authorization", { exact: true }).fill("let-me-in");
    const form = page.getByRole("form", { name: "Call Say" });
    await form.getByLabel(/^id/u).fill("18446744073709551615");
    await form.getByLabel(/^text/u).fill("é");
    await form.getByRole("button", { name: "Add answers" }).click();
    await form.getByRole("button", { name: "Remove answers 1" }).click();
    await form.getByRole("button", { name: "Add parent" }).click();
    await form.getByLabel(/^id/u).nth(1).fill("7");
    await form
      .getByRole("button", { name: "Set to null parent" })
      .first()
      .click();
    await form.getByLabel(/^mood/u).fill("grumpy");
    await form.getByLabel(/^urgency/u).selectOption("HIGH");
    await form.getByLabel(/^old/u).selectOption("true");
    await form.getByLabel(/^at /u).fill("2026-01-31T12:00:00Z");
    await form.getByLabel(/^reward/u).fill("123456789012345678901234567890");
    await form.getByLabel(/^data/u).fill("AQI=");
    await form.getByLabel(/^extra/u).fill('{"a":[1]}');
    await form.getByLabel(/^counts 1 value 1/u).fill("-9223372036854775808");
    await send(page);
    expect(await spoken(page)).toMatch(/^200 OK/u);
    expect(rooms.received.at(-1)).toEqual({
      room: "lobby",
      message: {
        id: 18446744073709551615n,
        text: "é",
        answers: [],
        parent: null,
      },
      mood: "grumpy",
      urgency: "HIGH",
      old: true,
      at: new Date("2026-01-31T12:00:00Z"),
      reward: 123456789012345678901234567890n,
      data: new Uint8Array([1, 2]),
      extra: { a: [1] },
      counts: { LOW: [-9223372036854775808n] },
    });
    const body = page.getByRole("region", { name: "Response body" });
    expect(await body.textContent()).toContain("18446744073709551615");
  });

  test("converts to JSON and back", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Find`);
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const editor = page.getByLabel("Request as JSON");
    expect(JSON.parse(await editor.inputValue())).toEqual({
      names: ["lobby", "flc-ohibesdbs"],
      level: "LOW",
    });
    await editor.fill('{"names":["x","y","z"],"level":');
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(
      /Invalid JSON/u,
    );
    await editor.fill('{"names":["x"],"level":"LOW","more":1}');
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/cannot show/u);
    await editor.fill('{"names":["x","y","z"],"level":"HIGH"}');
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await page.getByLabel(/^names 3/u).inputValue()).toBe("z");
    expect(await page.getByLabel(/^level/u).inputValue()).toBe("HIGH");
  });

  test("removes one item for a double click", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Find`);
    const add = page.getByRole("button", { name: "Add an item to names" });
    await add.click();
    await add.click();
    const removers = page.getByRole("button", { name: /^Remove names/u });
    const count = await removers.count();
    await removers.first().dblclick();
    expect(await removers.count()).toBe(count - 1);
  });

  test("opens nested fields while it is printed", async () => {
    const page = await open(`${platform}/#Marketplace.GetOrders`);
    const nested = page.locator("main details .field-head");
    const closed = page.locator("main details:not([open])");
    await page.locator("h1").waitFor();
    const before = await closed.count();
    expect(before).toBeGreaterThan(0);
    // The list of errors is there from the start.
    const others = await nested.count();
    await page.evaluate(() =>
      window.addEventListener("beforeprint", () => {
        const fields = document.querySelectorAll("main details .field-head");
        Object.assign(globalThis, { printed: fields.length });
      }),
    );
    await page.pdf();
    expect(await page.evaluate("printed")).toBeGreaterThan(others + 10);
    await expect.poll(() => closed.count()).toBeGreaterThanOrEqual(before);
    expect(await page.locator("main details[open]").count()).toBe(0);
  });

  test("shows which required fields a link omits, and lets users add them", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Find?{}`);
    const level = page.getByLabel(/^level/u);
    expect(await level.locator(":checked").textContent()).toBe("omitted");
    await level.selectOption("LOW");
    await page.getByRole("button", { name: "Add names" }).click();
    await page.getByLabel(/^names 1/u).fill("attic");
    const json = page.getByRole("button", { name: "Edit as JSON" });
    await json.click();
    const editor = page.getByLabel("Request as JSON");
    expect(JSON.parse(await editor.inputValue())).toEqual({
      names: ["attic", "lobby"],
      level: "LOW",
    });
    await page.goto(`${roomsUrl}/#Rooms.Upload?{}`);
    await page.getByLabel(/^picture/u).waitFor();
  });

  test("keeps its state when the user returns", async () => {
    const page = await open(`${roomsUrl}/#Rooms.Say`);
    await page.getByLabel(/^room/u).fill("attic");
    await page.goto(`${roomsUrl}/#Rooms.Find`);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Say" }).waitFor();
    expect(await page.getByLabel(/^room/u).inputValue()).toBe("attic");
  });
});

describe("keys", () => {
  const key = "X-Access-Key";

  test("are kept until the tab is closed, unless the user opts out", async () => {
    const page = await open(`${platform}/#API.GetSwapPrice`);
    const stored = (): Promise<unknown> =>
      page.evaluate("JSON.stringify([{...sessionStorage},{...localStorage}])");
    const input = page.getByLabel(key, { exact: true });
    await input.fill("k-1");
    await page.reload();
    expect(await input.inputValue()).toBe("k-1");
    const keep = page.getByLabel(/^Remember keys/u);
    await keep.uncheck();
    expect(await stored()).not.toContain("k-1");
    await input.fill("k-2");
    expect(await stored()).not.toContain("k-2");
    await page.reload();
    expect(await input.inputValue()).toBe("");
    expect(await keep.isChecked()).toBe(false);
    await keep.check();
    await input.fill("k-3");
    expect(await stored()).toContain("k-3");
    const other = await open(`${platform}/#API.GetSwapPrice`);
    expect(await other.getByLabel(key, { exact: true }).inputValue()).toBe("");
  });

  test("need to be entered only once for all hosts", async () => {
    const page = await open(`${platform}/`);
    await page.getByLabel(key, { exact: true }).fill("k-1");
    for (const id of ["API.GetSwapPrice", "Marketplace.GetOrders"]) {
      await page.goto(`${platform}/#${id}`);
      await page.getByRole("heading", { level: 2, name: "Try it" }).waitFor();
      expect(await page.getByLabel(key, { exact: true }).inputValue()).toBe(
        "k-1",
      );
    }
  });

  test("are shown only on request", async () => {
    const page = await open(`${platform}/#API.GetSwapPrice`);
    const input = page.getByLabel(key, { exact: true });
    expect(await input.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: `Show ${key}` }).click();
    expect(await input.getAttribute("type")).toBe("text");
  });
});

test("finds and calls a method with only the keyboard", async () => {
  const page = await open(`${platform}/`);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (what: string): Promise<unknown> =>
    page.evaluate(`document.activeElement.${what}`);
  await press("Tab");
  expect(await focused("textContent")).toBe("Skip to the content");
  await press("Control+k");
  expect(await focused("id")).toBe("filter");
  await page.keyboard.type("builder list");
  await press("ArrowDown", "Enter");
  await page
    .getByRole("heading", { level: 1, name: "ListAudiences" })
    .waitFor();
  expect(await focused("tagName")).toBe("H1");
  const tabTo = async (label: RegExp): Promise<void> => {
    for (let steps = 0; steps < 30; steps += 1) {
      await press("Tab");
      const labels = await focused("labels?.[0]?.textContent ?? ''");
      if (label.test(String(labels))) return;
    }
    expect.unreachable(`no way to ${String(label)}`);
  };
  await tabTo(/^X-Access-Key/u);
  await page.keyboard.type(demoAccessKey);
  await tabTo(/^projectId/u);
  await press("Control+a");
  await page.keyboard.type("1");
  await press("Control+Enter");
  expect(await spoken(page)).toMatch(/^200 OK/u);
  // The focus is still visible.
  const outline = "getComputedStyle(document.activeElement).outlineStyle";
  expect(await page.evaluate(outline)).toBe("solid");
});

/** Returns the hash of each page of an explorer. */
async function pagesOf(page: Page): Promise<readonly string[]> {
  const links = page.locator("nav a");
  return links.evaluateAll((all) =>
    all.map((link) => link.getAttribute("href") ?? ""),
  );
}

describe.each(["light", "dark"] as const)("in %s mode", (colorScheme) => {
  test("every page is accessible and legible", async () => {
    for (const base of [platform, roomsUrl, hostile]) {
      const page = await open(`${base}/`, { colorScheme });
      const hashes = await pagesOf(page);
      expect(hashes.length).toBeGreaterThan(2);
      for (const hash of hashes) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        await page.waitForFunction(
          `document.querySelector("nav [aria-current]")?.getAttribute("href") === ${JSON.stringify(hash)}`,
        );
        await page.evaluate(
          "document.querySelectorAll('summary').forEach((each) => each.click())",
        );
        expect([hash, await page.evaluate(findFaults)]).toEqual([hash, []]);
        expect([hash, await page.evaluate(findLowContrastText)]).toEqual([
          hash,
          [],
        ]);
      }
    }
  });

  test("failures are accessible and legible", async () => {
    const page = await open(`${platform}/#Builder.ListAudiences`, {
      colorScheme,
    });
    await page.getByLabel(/^projectId/u).fill("x");
    await page.getByLabel(/^projectId/u).blur();
    for (const key of ["wrong", demoAccessKey]) {
      await page.getByLabel("X-Access-Key", { exact: true }).fill(key);
      await send(page);
      await spoken(page);
      await page.locator(".failure").waitFor();
      expect(await page.evaluate(findFaults)).toEqual([]);
      expect(await page.evaluate(findLowContrastText)).toEqual([]);
    }
  });

  test("remembers the chosen color scheme", async () => {
    const page = await open(`${platform}/`, { colorScheme });
    const back = (): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const before = await back();
    const other = colorScheme === "light" ? "dark" : "light";
    await page.getByLabel("Theme").selectOption(other);
    const after = await back();
    expect(after).not.toBe(before);
    await page.reload();
    expect(await back()).toBe(after);
    await page.getByLabel("Theme").selectOption("auto");
    expect(await back()).toBe(before);
  });
});

test("shows hostile text from a contract as plain text", async () => {
  const page = await open(`${hostile}/`);
  expect(await page.locator("h1").textContent()).toContain("</script>");
  const method = (await pagesOf(page)).at(4) ?? "";
  await page.evaluate(`location.hash = ${JSON.stringify(method)}`);
  await page.getByRole("heading", { level: 1, name: "Meth;od" }).waitFor();
  const docs = (await page.locator(".docs").textContent()) ?? "";
  expect(docs).toContain("</script><script>globalThis.hijacked = true");
  await send(page);
  expect(await page.evaluate("globalThis.hijacked")).toBeUndefined();
});

test.each([320, 390, 768, 1024, 1440])(
  "fits a screen that is %d pixels wide",
  async (width) => {
    const page = await open(`${platform}/#Marketplace.GetOrders`, {
      viewport: { width, height: 800 },
    });
    for (const hash of ["", "#errors", "#Marketplace.GetOrders"]) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator("h1").waitFor();
      const overflow = "document.documentElement.scrollWidth - innerWidth";
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
  },
);

test("hides the methods behind a button on a narrow screen", async () => {
  const page = await open(`${platform}/`, {
    viewport: { width: 390, height: 800 },
  });
  const menu = page.getByRole("button", { name: "Methods" });
  expect(await page.locator("nav").isVisible()).toBe(false);
  await menu.click();
  expect(await menu.getAttribute("aria-expanded")).toBe("true");
  await page.getByRole("link", { name: "GetSwapQuote" }).first().click();
  await page.getByRole("heading", { level: 1, name: "GetSwapQuote" }).waitFor();
  expect(await page.locator("nav").isVisible()).toBe(false);
  await menu.click();
  await page.keyboard.press("Escape");
  expect(await menu.getAttribute("aria-expanded")).toBe("false");
});

test("reports an unknown address", async () => {
  const page = await open(`${platform}/#Nobody.Knows`);
  expect(await page.locator("h1").textContent()).toBe("Not found");
  expect(await page.title()).toBe("Not found – Web3 platform");
});

test("offers the contract for download", async () => {
  const page = await open(`${platform}/`);
  const saved = async (name: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(
      /^(?:openapi\.yaml|api\.ridl)$/u,
    );
    return readFileSync(await download.path(), "utf8");
  };
  expect(await saved("OpenAPI")).toMatch(/^openapi: "?3\.1\.0/mu);
  expect(await saved("RIDL of api")).toContain("service API");
});

test("remembers the language of snippets", async () => {
  const page = await open(`${roomsUrl}/#Rooms.Find`);
  const languages = page.getByRole("group", { name: "Language" });
  await languages.getByLabel("Python").check();
  const python = page.getByRole("region", { name: "Python" });
  expect(await python.textContent()).toContain(
    `"${roomsUrl}/rooms/lobby,flc-ohibesdbs/LOW"`,
  );
  await page.goto(`${roomsUrl}/#Rooms.Clear`);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Clear" }).waitFor();
  expect(await python.textContent()).toContain("/rpc/Rooms/Clear");
  await page.keyboard.press("Tab");
  await languages.getByLabel("Python").press("ArrowRight");
  const go = page.getByRole("region", { name: "Go", exact: true });
  expect(await go.textContent()).toContain("package main");
});

test("shows an example response before a call", async () => {
  const page = await open(`${roomsUrl}/#Rooms.Find`);
  const example = page.getByRole("region", { name: "Example response" });
  const [message] = JSON.parse((await example.textContent()) ?? "");
  expect(message).toEqual({ id: 1, text: "amber", answers: [], parent: null });
  await send(page);
  expect(await spoken(page)).toMatch(/^200 OK/u);
  expect(await example.count()).toBe(0);
});

test("links the pages of models to each other", async () => {
  const page = await open(`${roomsUrl}/#models`);
  await page.getByRole("main").getByRole("link", { name: "RoomName" }).click();
  await page.getByRole("heading", { level: 1, name: "RoomName" }).waitFor();
  const main = (await page.getByRole("main").textContent()) ?? "";
  expect(main).toContain(
    "A room name · at most 20 characters · matches ^[a-z-]+$",
  );
  await page.getByRole("link", { name: "SayRequest" }).click();
  await page.getByRole("link", { name: "Rooms.Say" }).click();
  await page.getByRole("heading", { level: 1, name: "Say" }).waitFor();
  await page.getByRole("searchbox").fill("sayresp");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("heading", { level: 1, name: "SayResponse" }).waitFor();
});

test("reopens and repeats calls from the history, which contains no keys or secrets", async () => {
  const page = await open(`${roomsUrl}/#Rooms.Say`);
  await page.getByLabel("Authorization", { exact: true }).fill("wrong-key");
  await page.getByLabel(/^room/u).fill("attic");
  await page.getByLabel(/^secret/u).fill("s3cret");
  await send(page);
  expect(await spoken(page)).toMatch(/^Unauthorized/u);
  await page.goto(`${roomsUrl}/#history`);
  await page.reload();
  await page.getByText("401 Unauthorized").waitFor();
  const kept =
    "JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.includes('history')))";
  expect(await page.evaluate(kept)).not.toMatch(/s3cret|wrong-key/u);
  await page.getByRole("link", { name: "Rooms.Say" }).click();
  await page.getByRole("heading", { level: 1, name: "Say" }).waitFor();
  expect(await page.getByLabel(/^room/u).inputValue()).toBe("attic");
  expect(await page.getByLabel(/^secret/u).inputValue()).toBe("");
  const again = page.getByRole("button", { name: /^Send again: Rooms\.Say/u });
  const said = page.getByRole("heading", { level: 1, name: "Say" });
  await page.goto(`${roomsUrl}/#history`);
  await again.click();
  await said.waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(/^Not sent:/u);
  expect(await page.locator(".outcome, [aria-busy]").count()).toBe(0);
  await send(page);
  expect(await spoken(page)).toMatch(/^Unauthorized/u);
  await page.goto(`${roomsUrl}/#history`);
  await again.first().click();
  expect(await spoken(page)).toMatch(/^Unauthorized/u);
  await page.goto(`${roomsUrl}/#history`);
  await page.getByRole("button", { name: "Clear history" }).click();
  await page.getByText("No calls yet.").waitFor();
});

test("creates links with the values of a form, but without secrets", async () => {
  const page = await open(`${roomsUrl}/#Rooms.Say`);
  await page.evaluate(
    "navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }",
  );
  await page.getByLabel("Authorization", { exact: true }).fill("let-me-in");
  await page.getByLabel(/^room/u).fill("a?b&c#d%");
  await page.getByLabel(/^secret/u).fill("s3cret");
  await page
    .getByRole("button", { name: "Copy link with these values" })
    .click();
  const link = String(await page.evaluate("globalThis.copied"));
  expect(link).not.toMatch(/s3cret|let-me-in/u);
  const other = await open(link);
  expect(await other.getByLabel(/^room/u).inputValue()).toBe("a?b&c#d%");
  expect(await other.getByLabel(/^secret/u).inputValue()).toBe("");
  expect(other.url()).toBe(`${roomsUrl}/#Rooms.Say`);
  await page.goto(`${roomsUrl}/#Rooms.Find?%7B%22names%22:7%7D`);
  const editor = page.getByLabel("Request as JSON");
  expect(JSON.parse(await editor.inputValue())).toEqual({ names: 7 });
});

test("reports that the page cannot copy over HTTP, where there is no clipboard", async () => {
  const page = await open(`${roomsUrl}/#Rooms.Clear`);
  // The message disappears after a while, which could be before this test looks.
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: undefined }); setTimeout = () => {}",
  );
  const copy = page.getByRole("button", { name: "Copy the code" });
  await copy.click();
  await copy.getByText("Not allowed").waitFor();
});

test("fills forms with the server's values", async () => {
  const page = await open(`${filled}/#Rooms.Find`);
  expect(await page.getByLabel(/^names 3/u).inputValue()).toBe("roof");
  await page.goto(`${filled}/#Rooms.Say`);
  await page.getByRole("heading", { level: 1, name: "Say" }).waitFor();
  expect(await page.getByLabel(/^room/u).inputValue()).toBe("attic");
  expect(await page.getByLabel(/^id/u).inputValue()).toBe(
    "18446744073709551615",
  );
  // A value of the wrong type is ignored.
  expect(await page.getByLabel(/^text/u).inputValue()).toBe("amber");
});

test("scrolls to the form with a button on a phone", async () => {
  const page = await open(`${platform}/#Marketplace.GetOrders`, {
    viewport: { width: 390, height: 800 },
  });
  const heading = page.getByRole("heading", { level: 2, name: "Try it" });
  const tryIt = page.getByRole("button", { name: "Try it" });
  await expect.poll(() => tryIt.isVisible()).toBe(true);
  const top = async (): Promise<number> =>
    (await heading.boundingBox())?.y ?? 0;
  expect(await top()).toBeGreaterThan(800);
  await tryIt.click();
  await expect.poll(top).toBeLessThan(800);
});

test("shows only models for a contract without services", async () => {
  const page = await open(`${empty}/`);
  expect(await page.locator(".lead").textContent()).toBe(
    "1 host, 0 methods, 1 model.",
  );
  await page.getByRole("link", { name: "1 model" }).click();
  await page.getByRole("main").getByRole("link", { name: "Book" }).click();
  await page.getByText("Nothing.").waitFor();
  expect(await page.evaluate(findFaults)).toEqual([]);
});

test.each([390, 1440])(
  "shows 500 methods with long descriptions on a screen that is %d pixels wide",
  async (width) => {
    const page = await open(`${large}/`, { viewport: { width, height: 800 } });
    expect(await page.locator(".methods li").count()).toBe(500);
    for (const hash of ["", `#Library.Get${longText}7`]) {
      await page.goto(`${large}/${hash}`);
      await page.locator("h1").waitFor();
      const overflow = "document.documentElement.scrollWidth - innerWidth";
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
  },
);

test.each(["light", "dark"] as const)(
  "axe finds no violations in %s mode",
  async (colorScheme) => {
    const pages = [
      [
        platform,
        ["", "#models", "#models/Order", "#errors", "#Marketplace.GetOrders"],
      ],
      [
        roomsUrl,
        ["#Rooms.Say", "#Rooms.Upload", "#RoomsWebhook.Opened", "#history"],
      ],
    ] as const;
    for (const [base, hashes] of pages) {
      const page = await open(`${base}/#Rooms.Find`, { colorScheme });
      if (base === roomsUrl) await send(page).then(() => spoken(page));
      for (const hash of hashes) {
        await page.evaluate(
          `document.querySelector("main > *").className += " left"; location.hash = ${JSON.stringify(hash)}`,
        );
        await page.locator("main > .left").waitFor({ state: "detached" });
        expect([hash, await findViolations(page)]).toEqual([hash, []]);
      }
    }
  },
);

test("the accessibility checks find faults", async () => {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.setContent(
    `<h1>a</h1><h3 id="x">b</h3><p id="x">c</p><input><button></button>
     <p style="color: #999; background: #fff">faint</p>
     <input aria-label="d" style="border: 1px solid #eee; background: #fff">`,
  );
  const faults = (await page.evaluate(findFaults)).join("\n");
  expect(faults).toContain("not one main");
  expect(faults).toContain("id x twice");
  expect(faults).toContain("no name: <input>");
  expect(faults).toContain("no name: <button>");
  const faint = await page.evaluate(findLowContrastText);
  expect(faint).toEqual([
    expect.stringContaining("rgb(153, 153, 153) on rgb(255,255,255): 2.85"),
    expect.stringContaining("input. rgb(238, 238, 238)"),
  ]);
});
