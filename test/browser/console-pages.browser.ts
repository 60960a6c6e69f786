import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { serveMockedConsole, type MockedConsole } from "./mocked-console.js";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const project = { id: 42, name: "My game", createdAt: "2026-01-31T12:00:00Z" };

const networks = [
  {
    handle: "polygon",
    chainId: 137,
    nativeSymbol: "POL",
    nativeDecimals: 18,
  },
];

const today = new Date().toISOString().slice(0, 10);

const answers = {
  "Operators/GetSession": { session: { operator: "owner" } },
  "Operators/ListNetworks": { networks },
  "Projects/GetProject": { project },
  "Projects/CreateProject": { project },
  "Projects/ListProjects": [
    {
      request: { page: { after: "2" } },
      response: { projects: [{ ...project, id: 41, name: "Older" }] },
    },
    { response: { projects: [project], next: "2" } },
  ],
  "Keys/ListAccessKeys": { accessKeys: [] },
  "Keys/CreateAccessKey": {
    accessKey: {
      ...{ id: 1, projectId: 42, name: "", ending: "e-end" },
      createdAt: "2026-01-31T12:00:00Z",
    },
    key: "AQAAAAAAAAA-the-one-end",
  },
  "GasTanks/ListGasTanks": {
    gasTanks: [
      {
        ...{ id: 1, projectId: 42, chainId: 137, reserved: "0" },
        balance: "1500000000000000000000000001",
        createdAt: "2026-01-31T12:00:00Z",
        updatedAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "Webhooks/GetDelivery": {
    delivery: {
      ...{ key: "7:0xdd", projectId: 42, listenerId: 7, attempts: 3 },
      ...{ state: "dead", createdAt: "2026-01-31T12:00:00Z" },
      reason: "the receiver answered 500",
    },
    notification: { type: "BLOCK_ADDED", logs: [{ blockNumber: 7 }] },
    attempts: [
      { at: "2026-01-31T12:00:00Z", durationMs: 31, reason: "answered 500" },
    ],
  },
  "Activity/GetUsage": {
    usage: [
      {
        ...{ day: today, service: "Marketplace", method: "GetOrders" },
        ...{ calls: 1200, failures: 30 },
      },
    ],
  },
};

const paths = [
  "/",
  "/projects/42",
  "/projects/42/keys",
  "/projects/42/audiences",
  "/projects/42/audiences/7",
  "/projects/42/gas",
  "/projects/42/gas/137",
  "/projects/42/webhooks",
  "/projects/42/deliveries",
  "/projects/42/deliveries/7%3A0xdd",
  "/projects/42/refreshes",
  "/projects/42/log",
  "/wallets",
  "/activity",
  "/nowhere",
];

let browser: Browser;
let server: MockedConsole;

beforeAll(async () => {
  server = await serveMockedConsole(answers);
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "",
    // Chromium has no sandbox for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

/** A tab of somebody who has signed in. It must not complain about the page. */
async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const { hostname } = new URL(server.url);
  await context.addCookies([
    { name: "session", value: "1", domain: hostname, path: "/" },
  ]);
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", ({ message }) => complaints.push(message));
  tab.on("console", (message) => {
    const isAnswer = message.text().includes("status of 401");
    if (message.type() === "error" && !isAnswer)
      complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return tab;
}

/** What axe finds in a page that has loaded, one line each. */
async function findFaults(tab: Page): Promise<readonly string[]> {
  await tab.locator("h1").waitFor();
  await expect.poll(() => tab.locator(".waiting").count()).toBe(0);
  // The policy of the page allows no other script, but the debugger may.
  await tab.evaluate(axe);
  const { violations }: AxeResults = await tab.evaluate("axe.run()");
  return violations.map(
    ({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`,
  );
}

test.each([
  ["wide and light", 1440, "light"],
  ["narrow and dark", 390, "dark"],
] as const)(
  "no page has a fault that axe finds, %s",
  { timeout: 180_000 },
  async (_, width, theme) => {
    const tab = await openTab({
      viewport: { width, height: 900 },
      colorScheme: theme,
    });
    const faults: string[] = [];
    for (const path of paths) {
      await tab.goto(server.url + path);
      const found = await findFaults(tab);
      faults.push(...found.map((fault) => `${path}: ${fault}`));
      const isTooWide = await tab.evaluate(
        () => document.documentElement.scrollWidth > innerWidth,
      );
      if (isTooWide) faults.push(`${path} is too wide`);
    }
    expect(faults).toEqual([]);
  },
);

test("who has not signed in sees the login, and then the page of the address", async () => {
  const tab = await openTab();
  await tab.context().clearCookies();
  await tab.goto(`${server.url}/projects/42/keys`);
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await findFaults(tab)).toEqual([]);
  await tab.getByLabel("Name").fill("owner");
  await tab.getByLabel("Password").fill("secret");
  await tab.keyboard.press("Enter");
  await tab.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  await tab.getByRole("button", { name: "Sign out" }).click();
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("a project is made with the keyboard alone, by the rules of the contract", async () => {
  const tab = await openTab();
  const press = (key: string) => tab.keyboard.press(key);
  await tab.goto(server.url);
  await tab.getByRole("link", { name: "My game" }).waitFor();
  await press("Tab");
  await press("Enter");
  const dialog = tab.getByRole("dialog", { name: "New project" });
  await dialog.waitFor();
  expect(await findFaults(tab)).toEqual([]);
  await press("Escape");
  await dialog.waitFor({ state: "detached" });
  // The button that opened it has the focus again.
  await press("Enter");
  await dialog.waitFor();
  server.takeCalls();
  await press("Enter");
  await dialog
    .getByText("Expected a name of 1 to 200 characters that begins with no")
    .waitFor();
  expect(server.takeCalls()).toEqual([]);
  await tab.keyboard.type("My game");
  await press("Enter");
  await tab.getByRole("heading", { name: "My game" }).waitFor();
  expect(server.takeCalls()).toContain(
    'Projects/CreateProject {"name":"My game"}',
  );
});

test("a new key is shown once, until somebody says that it is stored", async () => {
  const tab = await openTab();
  await tab.goto(`${server.url}/projects/42/keys`);
  await tab.getByRole("button", { name: "New access key" }).click();
  await tab.getByRole("button", { name: "Create access key" }).click();
  const dialog = tab.getByRole("dialog", { name: "Your new access key" });
  await dialog.getByText("AQAAAAAAAAA-the-one-end").waitFor();
  await tab.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await tab.content()).not.toContain("the-one-end");
});

test("amounts keep every digit", async () => {
  const tab = await openTab();
  await tab.goto(`${server.url}/projects/42/gas/137`);
  await tab.getByText("1500000000.000000000000000001 POL").first().waitFor();
  await tab.getByRole("button", { name: "Fill" }).click();
  const amount = tab.getByLabel("Amount in POL");
  await amount.fill("0.0000000000000000001");
  const send = tab.getByRole("dialog").getByRole("button", { name: "Fill" });
  server.takeCalls();
  await send.click();
  await tab.getByText("Enter a decimal number above zero").waitFor();
  expect(server.takeCalls()).toEqual([]);
  await amount.fill("2.000000000000000001");
  await send.click();
  await tab.getByText("The tank was filled.").first().waitFor();
  expect(server.takeCalls()[0]).toBe(
    'GasTanks/FillGasTank {"projectId":42,"chainId":137,"amount":"2000000000000000001"}',
  );
});

test("a list goes on where the page before ended", async () => {
  const tab = await openTab();
  await tab.goto(server.url);
  const more = tab.getByRole("button", { name: "Show more" });
  await more.click();
  await tab.getByRole("link", { name: "Older" }).waitFor();
  expect(await more.count()).toBe(0);
});
