import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { clickAndThen } from "./click-and-then.js";
import { paths, project } from "./console-answers.js";
import { findViolations } from "./axe.js";
import { openMockedConsole, waitForPage } from "./open-mocked-console.js";

const { openTab, takeCalls, url } = await openMockedConsole();

// Colors do not depend on the width.
test.each([
  ["wide and light", 1440, "light"],
  ["narrow and dark", 390, "dark"],
] as const)(
  "axe finds no violations on any page (%s)",
  async (_, width, theme) => {
    const tab = await openTab({
      viewport: { width, height: 900 },
      colorScheme: theme,
    });
    const faults: string[] = [];
    for (const path of paths) {
      await tab.goto(url + path);
      await waitForPage(tab);
      const found = await findViolations(tab);
      faults.push(...found.map((fault) => `${path}: ${fault}`));
    }
    expect(faults).toEqual([]);
  },
);

test("no page is wider than the screen, at six widths", async () => {
  const tab = await openTab();
  const faults: string[] = [];
  for (const path of paths) {
    await tab.goto(url + path);
    await waitForPage(tab);
    for (const width of [320, 390, 600, 1152, 1153, 1440]) {
      await tab.setViewportSize({ width, height: 900 });
      const excess = await tab.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      );
      if (excess > 0) faults.push(`${path} at ${width}: ${excess}`);
    }
  }
  expect(faults).toEqual([]);
});

test("fits long names without spaces, also in dialogs", async () => {
  const tab = await openTab();
  const name = "M".repeat(200);
  const audience = { ...project, projectId: 42, contactCount: 0, name };
  const answers = {
    ListProjects: { projects: [{ ...project, name }] },
    ListAudiences: { audiences: [audience] },
    GetAudience: { audience },
  };
  for (const [method, json] of Object.entries(answers)) {
    await tab.route(`**/rpc/*/${method}`, (route) => route.fulfill({ json }));
  }
  const faults: string[] = [];
  for (const path of ["/", "/projects/42/audiences"]) {
    await tab.goto(url + path);
    await tab.getByText(name).waitFor();
    for (const width of [320, 1100]) {
      await tab.setViewportSize({ width, height: 900 });
      const excess = await tab.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      );
      if (excess > 0) faults.push(`${path} at ${width}: ${excess}`);
    }
  }
  expect(faults).toEqual([]);
  await tab.goto(`${url}/projects/42/audiences/42`);
  await tab.getByRole("button", { name: "Delete" }).click();
  const dialog = tab.getByRole("alertdialog");
  const excess = await dialog.evaluate(
    ({ clientWidth, scrollWidth }) => scrollWidth - clientWidth,
  );
  expect(excess).toBe(0);
});

test("opens a delivery from the list, and shows its key and why it failed", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/deliveries`);
  takeCalls();
  await tab.getByRole("link", { name: "7:0xdd" }).click();
  await tab.getByRole("heading", { name: "Attempts" }).waitFor();
  expect(takeCalls()).toContain('Webhooks/GetDelivery {"key":"7:0xdd"}');
  await tab.getByText("7:0xdd", { exact: true }).waitFor();
  await tab.getByText("responded with 500", { exact: true }).waitFor();
});

test("reports an invalid listener ID instead of listing all deliveries", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/deliveries?listener=x7`);
  await tab.getByText("Expected a listener ID.").waitFor();
  expect(await tab.getByRole("table").count()).toBe(0);
  await tab.getByLabel("Listener").fill(" 7 ");
  await tab.getByRole("link", { name: "7:0xdd" }).waitFor();
});

test("shows a message if a page fails to render, and can load it again", async () => {
  // The first tab would report the error, which the browser logs.
  const tab = await (await openTab()).context().newPage();
  await tab.addInitScript(`
    if (sessionStorage.failed === undefined) {
      sessionStorage.failed = "yes";
      URLSearchParams.prototype.get = () => { throw new Error("broken"); };
    }`);
  await tab.goto(`${url}/projects/42/deliveries`);
  await tab.getByText("This page could not be shown.").waitFor();
  expect(await findViolations(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Try again" }).click();
  await tab.getByRole("heading", { name: "Deliveries" }).waitFor();
});

test("shows the login first and then the requested page", async () => {
  const tab = await openTab();
  await tab.context().clearCookies();
  await tab.goto(`${url}/projects/42/keys`);
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await findViolations(tab)).toEqual([]);
  await tab.getByLabel("Name").fill("owner");
  await tab.getByLabel("Password").fill("secret");
  await tab.keyboard.press("Enter");
  await tab.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  await tab.getByRole("button", { name: "Sign out" }).click();
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("creates a project with only the keyboard, and checks its name against the contract", async () => {
  const tab = await openTab();
  const press = (key: string) => tab.keyboard.press(key);
  await tab.goto(url);
  await tab.getByRole("link", { name: "My game" }).waitFor();
  // Tab to the skip link and follow it, then tab to the first button and
  // press it.
  await press("Tab");
  await press("Enter");
  await tab.locator("main:focus").waitFor();
  await press("Tab");
  await press("Enter");
  const dialog = tab.getByRole("dialog", { name: "New project" });
  await dialog.waitFor();
  expect(await findViolations(tab)).toEqual([]);
  await press("Escape");
  await dialog.waitFor({ state: "detached" });
  await tab.locator("button:focus", { hasText: "New project" }).waitFor();
  await press("Enter");
  await dialog.waitFor();
  takeCalls();
  await press("Enter");
  await dialog
    .getByText("Expected a name of 1 to 200 characters that does not start")
    .waitFor();
  expect(takeCalls().filter(isCreation)).toEqual([]);
  await tab.keyboard.type("My game");
  await press("Enter");
  await tab.getByRole("heading", { name: "My game" }).waitFor();
  expect(takeCalls()).toContain('Projects/CreateProject {"name":"My game"}');
});

test("sends a form once for two clicks on a busy machine", async () => {
  const tab = await openTab();
  await tab.goto(url);
  await tab.getByRole("button", { name: "New project" }).click();
  await tab.getByLabel("Name").fill("My game");
  takeCalls();
  await tab
    .getByRole("button", { name: "Create project" })
    .evaluate(clickAndThen, "click");
  await tab.getByRole("heading", { name: "My game" }).waitFor();
  expect(takeCalls().filter(isCreation)).toHaveLength(1);
});

const isCreation = (call: string): boolean => call.includes("CreateProject");

test("shows a new key once, until the user confirms that it is stored", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/keys`);
  await tab.getByRole("button", { name: "New access key" }).click();
  await tab
    .getByRole("button", { name: "Create access key" })
    .evaluate(clickAndThen, "Escape");
  const dialog = tab.getByRole("dialog", { name: "Your new access key" });
  await dialog.getByText("AQAAAAAAAAA-the-one-end").waitFor();
  await tab.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await tab.content()).not.toContain("the-one-end");
});

test("shows a new key even if the platform is overloaded", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/keys`);
  await waitForPage(tab);
  const failing = await refuse(tab, "**/rpc/Operators/*");
  await tab.getByRole("button", { name: "New access key" }).click();
  await tab.getByRole("button", { name: "Create access key" }).click();
  await failing();
  const dialog = tab.getByRole("dialog", { name: "Your new access key" });
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
});

/**
 * Answers calls with 429 from now on. Returns a function that waits until the
 * page has received such an answer.
 */
async function refuse(
  tab: Page,
  pattern: string,
): Promise<() => Promise<void>> {
  const envelope = {
    ...{ error: "WebrpcRequestFailed", code: -1, status: 429 },
    msg: "too many requests",
  };
  await tab.route(pattern, (route) =>
    route.fulfill({ status: 429, json: envelope }),
  );
  const received = tab.waitForResponse(pattern);
  return async () => {
    await (await received).finished();
    // The page handles the answer in the next tasks.
    await tab.evaluate("new Promise(requestAnimationFrame)");
  };
}

test("shows its page after networks that could not be loaded are requested again", async () => {
  const tab = await openTab();
  const failed = await refuse(tab, "**/rpc/Operators/ListNetworks");
  await tab.goto(`${url}/projects/42/keys`);
  await failed();
  const again = tab.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await tab.unrouteAll();
  await again.click();
  await tab.getByRole("heading", { name: "Keys", exact: true }).waitFor();
});

test("reports a call without a network, and does not send it later", async () => {
  const tab = await openTab();
  await tab.goto(url);
  await waitForPage(tab);
  await tab.context().setOffline(true);
  await tab.getByRole("button", { name: "New project" }).click();
  await tab.getByLabel("Name").fill("My game");
  await tab.getByRole("button", { name: "Create project" }).click();
  await tab.getByText("The platform cannot be reached.").waitFor();
});

test("shows usage without its chart if the chart's file is gone", async () => {
  const tab = await openTab();
  await tab.route("**/usage-chart-*.js", (route) =>
    route.fulfill({ status: 404 }),
  );
  await tab.goto(`${url}/projects/42`);
  await tab.getByText("The chart could not be loaded.").waitFor();
  await tab.getByRole("table", { name: "Calls by method" }).waitFor();
});

test("shows all digits of amounts", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/gas/137`);
  await tab.getByText("1500000000.000000000000000001 POL").first().waitFor();
  await tab.getByRole("button", { name: "Fill" }).click();
  const amount = tab.getByLabel("Amount in POL");
  await amount.fill("0.0000000000000000001");
  const send = tab.getByRole("dialog").getByRole("button", { name: "Fill" });
  await send.click();
  await tab.getByText("Enter a decimal number above zero").waitFor();
  await amount.fill("2.000000000000000001");
  await send.click();
  await tab.getByText("The tank was filled.").first().waitFor();
  const isFilling = (call: string): boolean => call.includes("FillGasTank");
  expect(takeCalls().filter(isFilling)).toEqual([
    expect.stringMatching(
      /^GasTanks\/FillGasTank \{"projectId":42,"chainId":137,"amount":"2000000000000000001","key":"[0-9a-f]{32}"\}$/u,
    ),
  ]);
});

test("loads the next page of a list", async () => {
  const tab = await openTab();
  await tab.goto(url);
  const more = tab.getByRole("button", { name: "Show more" });
  await more.click();
  await tab.getByRole("link", { name: "Older" }).waitFor();
  expect(await more.count()).toBe(0);
});
