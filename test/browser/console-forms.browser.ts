import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { session } from "./console-answers.js";
import { openMockedConsole, waitForPage } from "./open-mocked-console.js";

const { openTab, takeCalls, url } = await openMockedConsole();

/** Opens the form of a new audience, and types a name. */
async function openForm(): Promise<Page> {
  const tab = await openTab();
  await tab.goto(url);
  await waitForPage(tab);
  await tab.getByRole("link", { name: "My game" }).first().click();
  await tab.getByRole("link", { name: "Audiences" }).click();
  await waitForPage(tab);
  await tab.getByRole("button", { name: "New audience" }).click();
  await tab.getByRole("textbox", { name: "Name" }).fill("Players");
  return tab;
}

const nameIn = (tab: Page): Promise<string> =>
  tab.getByRole("dialog").getByRole("textbox", { name: "Name" }).inputValue();

test("a form survives the end of the session", async () => {
  const tab = await openForm();
  const cookies = await tab.context().cookies();
  await tab.context().clearCookies();
  takeCalls();
  await tab.getByRole("button", { name: "Create audience" }).click();
  const login = tab.getByRole("dialog", { name: "Sign in again" });
  await login.getByLabel("Password").fill("secret");
  expect(await login.getByLabel("Name").inputValue()).toBe("owner");
  await tab.keyboard.press("Escape");
  await tab.context().addCookies(cookies);
  await login.getByRole("button", { name: "Sign in" }).click();
  await login.waitFor({ state: "hidden" });
  expect(await nameIn(tab)).toBe("Players");
  await tab.getByRole("button", { name: "Create audience" }).click();
  await tab.getByText("The audience was created.").first().waitFor();
  const created = takeCalls().filter((call) => call.includes("CreateAudience"));
  expect(created).toHaveLength(2);
});

test("a changed form asks before it is left", async () => {
  const tab = await openForm();
  const questions: string[] = [];
  let isAccepted = false;
  tab.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void (isAccepted ? dialog.accept() : dialog.dismiss());
  });
  const address = tab.url();
  await tab.keyboard.press("Escape");
  await tab.mouse.click(2, 300);
  await tab.getByRole("button", { name: "Close" }).click();
  expect(questions).toEqual(["confirm", "confirm", "confirm"]);
  await tab.evaluate("history.back()");
  await expect.poll(() => questions).toHaveLength(4);
  expect(await nameIn(tab)).toBe("Players");
  expect(tab.url()).toBe(address);
  await tab.evaluate("void setTimeout(() => location.reload())");
  await expect.poll(() => questions.at(-1)).toBe("beforeunload");
  expect(await nameIn(tab)).toBe("Players");
  isAccepted = true;
  await tab.keyboard.press("Escape");
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
  // An unchanged form asks nothing.
  const asked = questions.length;
  await tab.getByRole("button", { name: "New audience" }).click();
  await tab.keyboard.press("Escape");
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
  expect(questions).toHaveLength(asked);
});

test("the focus stays in the list after a row was removed", async () => {
  const tab = await openTab();
  let contactIds = ["1", "2", "3"];
  await tab.route("**/rpc/Audiences/ListContacts", (route) =>
    route.fulfill({ json: { contactIds: contactIds.map(Number) } }),
  );
  await tab.route("**/rpc/Audiences/RemoveContacts", async (route) => {
    contactIds = contactIds.filter((id) => id !== "2");
    await route.continue();
  });
  await tab.goto(`${url}/projects/42/audiences/7`);
  await waitForPage(tab);
  await tab.getByRole("button", { name: "Remove contact 2" }).focus();
  await tab.keyboard.press("Enter");
  const dialog = tab.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => tab.getByRole("row").count()).toBe(3);
  const focused = tab.locator(":focus");
  await expect
    .poll(() => focused.getAttribute("aria-label"))
    .toBe("Remove contact 3");
});

test("shows only the actions that the operator's role permits", async () => {
  const tab = await openTab();
  await tab.route("**/rpc/Operators/GetSession", (route) =>
    route.fulfill({
      json: {
        session: {
          ...{ ...session, role: "support" },
          denied: ["Keys/CreateAccessKey", "GasTanks/FillGasTank"],
        },
      },
    }),
  );
  const countOf = async (path: string, name: string): Promise<number> => {
    await tab.goto(url + path);
    await waitForPage(tab);
    return tab.getByRole("button", { name }).count();
  };
  expect(await countOf("/projects/42/keys", "New access key")).toBe(0);
  expect(await countOf("/projects/42/keys", "New secret key")).toBe(1);
  expect(await countOf("/projects/42/gas", "Fill a tank")).toBe(0);
  expect(await tab.getByText("owner (support)").count()).toBe(1);
});

test("lists relays with their reasons and links to their transactions", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/relays`);
  await waitForPage(tab);
  await tab.getByText("not the owner").waitFor();
  const link = tab.getByRole("row").getByRole("link");
  expect(await link.getAttribute("href")).toBe(
    `https://polygonscan.com/tx/0x${"b".repeat(64)}`,
  );
  takeCalls();
  await tab.getByLabel("Status").selectOption("reverted");
  await expect
    .poll(() => takeCalls().join("\n"))
    .toContain('"status":"reverted"');
});

test("ends all sessions after a question", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/activity`);
  await waitForPage(tab);
  takeCalls();
  await tab.getByRole("button", { name: "End all sessions" }).click();
  const question = tab.getByRole("alertdialog");
  await question.getByRole("button", { name: "End all sessions" }).click();
  await tab.getByText("All sessions were ended.").first().waitFor();
  expect(takeCalls()).toContain("Operators/EndSessions {}");
});

test("shows how far each chain was read", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/chains`);
  await waitForPage(tab);
  const row = tab.getByRole("row").nth(1);
  expect(await row.innerText()).toMatch(
    /polygon\s+indexer\s+Catching up\s+51 %/u,
  );
  // The chain has no block yet that must be read.
  await tab.route("**/rpc/Operators/ListFollowers", (route) =>
    route.fulfill({
      json: {
        followers: [
          {
            ...{ name: "indexer", chainId: 137, firstBlock: 5, nextBlock: 5 },
            ...{ lastBlock: 2, isRunning: true, incompleteBlocks: 0 },
          },
        ],
      },
    }),
  );
  await expect
    .poll(() => row.innerText())
    .toMatch(/polygon\s+indexer\s+Current\s+100 %/u);
});

test("a listener's events are edited one per line, with the keyboard alone", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/webhooks`);
  await waitForPage(tab);
  await tab.getByRole("button", { name: "Edit listener 7" }).focus();
  await tab.keyboard.press("Enter");
  const dialog = tab.getByRole("dialog", { name: "Edit listener 7" });
  const events = dialog.getByLabel("Events");
  expect((await events.inputValue()).split("\n")).toEqual([
    "Transfer(address,address,uint256)",
    "Approval(address,address,uint256)",
  ]);
  await events.focus();
  await tab.keyboard.press("Control+End");
  await tab.keyboard.type("\nPaused()\n");
  takeCalls();
  await dialog.getByRole("button", { name: "Save listener" }).focus();
  await tab.keyboard.press("Enter");
  await tab.getByText("Listener 7 was changed.").first().waitFor();
  const [call = ""] = takeCalls();
  expect(call).toMatch(/^Webhooks\/UpdateListener /u);
  expect(JSON.parse(call.slice(call.indexOf("{")))).toMatchObject({
    ...{ projectId: 42, id: 7, url: "https://example.com/webhooks" },
    filters: {
      events: [
        "Transfer(address,address,uint256)",
        "Approval(address,address,uint256)",
        "Paused()",
      ],
    },
  });
});

test("a test event shows what the receiver responded", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/webhooks`);
  await waitForPage(tab);
  await tab.getByRole("button", { name: "Test listener 7" }).focus();
  await tab.keyboard.press("Enter");
  await tab
    .getByText("The test event was not accepted: responded with 500")
    .first()
    .waitFor();
});

test("calls can be filtered by outcome and found by a request ID", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42`);
  await waitForPage(tab);
  const links = tab.getByRole("navigation", { name: "Project" });
  await links.getByRole("link", { name: "Calls" }).click();
  await tab.getByText("WebrpcBadRequest").waitFor();
  await tab.getByText("/input/0/orderId").waitFor();
  // Only the failed call has a trace.
  const trace = tab.getByRole("link", { name: "Trace" });
  expect(await trace.getAttribute("href")).toBe(
    "https://traces.example.com/trace/1f",
  );
  takeCalls();
  await tab.getByLabel("Outcome").selectOption("Failed");
  await tab.getByLabel("Find a call by its request ID").fill("5b0f1b0a-3c7e");
  await expect
    .poll(() => takeCalls().map((call) => call.replace(/^\S+ /u, "")))
    .toContainEqual(
      JSON.stringify({
        ...{ projectId: 42, isFailed: true, requestId: "5b0f1b0a-3c7e" },
      }),
    );
  expect(tab.url()).toContain("outcome=failed");
});

test("the search of wallet links accepts an address in upper case, but no wrong checksum", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/wallets`);
  await waitForPage(tab);
  const search = tab.getByLabel("Find links of a wallet");
  const upper = `0x${"AB".repeat(20)}`;
  takeCalls();
  await search.fill(upper);
  await expect
    .poll(() => takeCalls().join("\n"))
    .toContain(`"walletAddress":"${upper}"`);
  await waitForPage(tab);
  const problem = tab.getByText("checksum of the address is wrong");
  expect(await problem.count()).toBe(0);
  await search.fill(`0x${"Ab".repeat(20)}`);
  await problem.waitFor();
});
