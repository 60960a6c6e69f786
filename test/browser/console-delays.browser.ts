import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { chooseAgain } from "./choose-again.js";
import { project } from "./console-answers.js";
import { openMockedConsole } from "./open-mocked-console.js";

const { openTab, takeCalls, url } = await openMockedConsole();

/** Delays responses until the returned function is called. */
async function hold(tab: Page, method: string): Promise<() => void> {
  let answer = (): void => {};
  const isReady = new Promise<void>((resolve) => (answer = resolve));
  await tab.route(`**/rpc/${method}`, async (route) => {
    await isReady;
    await route.fallback();
  });
  return answer;
}

test("requests only the session if no operator was signed in", async () => {
  const tab = await openTab();
  await tab.context().clearCookies();
  takeCalls();
  await tab.goto(`${url}/projects/42/keys`);
  await tab.getByLabel("Password").waitFor();
  expect(takeCalls()).toEqual(["Operators/GetSession {}"]);
});

test("requests what a page shows first without waiting for the session", async () => {
  const tab = await openTab();
  // The browser remembers that an operator is signed in.
  await tab.goto(url);
  await tab.getByRole("link", { name: "My game" }).waitFor();
  const answer = await hold(tab, "Operators/GetSession");
  const asked = ["Operators/ListNetworks", "Projects/GetProject"].map((each) =>
    tab.waitForRequest(`**/rpc/${each}`),
  );
  await tab.goto(`${url}/projects/42/keys`);
  await Promise.all(asked);
  expect(await tab.getByRole("status", { name: "Loading" }).count()).toBe(1);
  answer();
  await tab.getByRole("heading", { name: "Keys", exact: true }).waitFor();
});

test("keeps what the user types into the login while it checks the session again", async () => {
  const tab = await openTab();
  await tab.context().clearCookies();
  await tab.goto(url);
  const name = tab.getByLabel("Name");
  await name.fill("own");
  const answer = await hold(tab, "Operators/GetSession");
  const asked = tab.waitForRequest("**/rpc/Operators/GetSession");
  // This is what a browser does when the user returns to the tab.
  await tab.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await asked;
  await tab.keyboard.type("er");
  answer();
  await tab.waitForResponse("**/rpc/Operators/GetSession");
  await tab.evaluate("new Promise(requestAnimationFrame)");
  expect(await name.inputValue()).toBe("owner");
});

test("does not report that a search found nothing before its response arrives", async () => {
  const tab = await openTab();
  await tab.route("**/rpc/Projects/ListProjects", (route) =>
    route.request().postData()?.includes("nothing")
      ? route.fulfill({ json: { projects: [] } })
      : route.fallback(),
  );
  await tab.goto(url);
  const search = tab.getByLabel("Search projects");
  await search.fill("nothing");
  const none = tab.getByText("No project has");
  await none.waitFor();
  const answer = await hold(tab, "Projects/ListProjects");
  await search.fill("game");
  await tab.getByRole("status", { name: "Loading" }).waitFor();
  expect(await none.count()).toBe(0);
  answer();
  await tab.getByRole("link", { name: "My game" }).waitFor();
});

test("keeps the focus in a field when a new name of the page arrives", async () => {
  const tab = await openTab();
  let name = "Players";
  await tab.route("**/rpc/Audiences/*Audience", async (route) => {
    if (route.request().url().endsWith("RenameAudience")) name = "Customers";
    await route.fulfill({
      json: {
        audience: { ...project, projectId: 42, contactCount: 0, name },
      },
    });
  });
  await tab.goto(`${url}/projects/42/audiences/42`);
  await tab.getByRole("button", { name: "Rename" }).click();
  const answer = await hold(tab, "Audiences/GetAudience");
  const dialog = tab.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Customers");
  await tab.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const search = tab.getByLabel("Find a contact");
  await search.focus();
  await tab.keyboard.type("12");
  answer();
  await tab.getByRole("heading", { name: "Customers" }).waitFor();
  await tab.keyboard.type("34");
  expect(await search.inputValue()).toBe("1234");
});

test.each([
  ["form", "/projects/42/gas/137", "Fill", "GasTanks/FillGasTank"],
  [
    "confirmation",
    "/projects/42/webhooks",
    "Rotate webhook secret",
    "Webhooks/RotateWebhookSecret",
  ],
])(
  "a %s stays open until its call has ended",
  async (_, path, opener, method) => {
    const tab = await openTab();
    await tab.goto(url + path);
    await tab.getByRole("button", { name: opener, exact: true }).click();
    const dialog = tab.locator("[role=dialog], [role=alertdialog]");
    await dialog.waitFor();
    const amount = dialog.getByLabel("Amount in POL");
    if (await amount.isVisible()) await amount.fill("1");
    const answer = await hold(tab, method);
    takeCalls();
    await dialog.getByRole("button", { name: /^(?:Fill|Rotate)$/u }).click();
    await dialog.locator("[aria-busy=true]").waitFor();
    await tab.keyboard.press("Escape");
    const closers = dialog.getByRole("button", { name: /Close|Cancel/u });
    expect(await closers.and(tab.locator(":enabled")).count()).toBe(0);
    expect(await dialog.isVisible()).toBe(true);
    answer();
    await dialog.waitFor({ state: "detached" });
    await tab
      .getByText(/^The .* was (?:filled|rotated)\.$/u)
      .first()
      .waitFor();
    expect(takeCalls().filter((call) => call.startsWith(method))).toHaveLength(
      1,
    );
  },
);

test("a dialog can be closed while a call of the page is running", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/audiences/7`);
  const answer = await hold(tab, "Audiences/ExportContacts");
  await tab.getByRole("button", { name: "Export CSV" }).click();
  await tab.getByRole("button", { name: "Add contacts" }).click();
  const dialog = tab.getByRole("dialog");
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  answer();
});

test("asks before it removes a contact, and removes one for double clicks", async () => {
  const tab = await openTab();
  let contactIds = [1, 2];
  await tab.route("**/rpc/Audiences/ListContacts", (route) =>
    route.fulfill({ json: { contactIds } }),
  );
  await tab.route("**/rpc/Audiences/RemoveContacts", (route) => {
    contactIds = [2];
    return route.fallback();
  });
  await tab.goto(`${url}/projects/42/audiences/7`);
  const first = tab.getByRole("button", { name: "Remove contact 1" });
  const isRemoval = (call: string): boolean => call.includes("RemoveContacts");
  await first.waitFor();
  takeCalls();
  await first.dblclick();
  const question = tab.getByRole("alertdialog");
  await question.waitFor();
  expect(takeCalls().filter(isRemoval)).toEqual([]);
  await question.getByRole("button", { name: "Remove" }).dblclick();
  await first.waitFor({ state: "detached" });
  expect(takeCalls().filter(isRemoval)).toHaveLength(1);
});

test("explains that an imported file has changed, and imports it when it is chosen again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "contacts.csv");
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/audiences/7`);
  await tab.getByRole("button", { name: "Import CSV" }).click();
  const dialog = tab.getByRole("dialog");
  writeFileSync(file, "contactId\none\n");
  utimesSync(file, 1e9, 1e9);
  await dialog.getByLabel("File", { exact: true }).setInputFiles(file);
  writeFileSync(file, "contactId\n1\n");
  const send = dialog.getByRole("button", { name: "Import", exact: true });
  await send.click();
  await dialog.getByText("The file has changed, so choose it again.").waitFor();
  await chooseAgain(tab, file);
  takeCalls();
  await send.click();
  await expect.poll(() => takeCalls().join("\n")).toContain("contactId\n1\n");
});
