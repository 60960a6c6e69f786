import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  makeDataFolder,
  spawnPlatform,
  type Ready,
} from "../../platform/test/load/spawned-platform.js";
import { createFixtureAccounts } from "../../platform/chain/accounts.js";
import { expireDeliveries } from "../../platform/test/support/expire-deliveries.js";
import { openSiteForTest } from "../../platform/test/support/local-site.js";
import { openPublicProject } from "../../platform/test/support/public-project.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../../platform/test/support/test-database.js";
import { launchChromium } from "./launch-chromium.js";
import { measureLoad } from "./measure-load.js";

/** Changes the case of the first letter that has one. */
function withWrongChecksum(address: string): string {
  return `0x${address
    .slice(2)
    .replace(/[a-f]/iu, (digit) =>
      digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
    )}`;
}

const databaseUrl = await createMigratedDatabase();
const database = await openTestDatabase(databaseUrl);
const folder = makeDataFolder();
const platform = spawnPlatform(folder, {
  ALLOW_PRIVATE_TARGETS: "true",
  DATABASE_URL: databaseUrl,
});
let ready: Ready;

beforeAll(async () => {
  ready = await platform.ready;
});

afterAll(async () => {
  await platform.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the dialog of a button, fills it in, and submits it. */
async function fillIn(
  tab: Page,
  opener: string,
  fields: Readonly<Record<string, string>>,
  send: string,
): Promise<void> {
  await tab.getByRole("button", { name: opener, exact: true }).click();
  const dialog = tab.getByRole("dialog");
  for (const [label, text] of Object.entries(fields)) {
    await dialog.getByLabel(label, { exact: true }).fill(text);
  }
  await dialog.getByRole("button", { name: send, exact: true }).click();
}

/** Creates a key and returns its value, which is shown only once. */
async function makeKey(
  tab: Page,
  what: "access key" | "secret key",
): Promise<string> {
  await fillIn(tab, `New ${what}`, { Name: "Walk" }, `Create ${what}`);
  const shown = tab.getByRole("dialog", { name: `Your new ${what}` });
  const key = await shown.locator("code").textContent();
  await shown.getByRole("button", { name: "I have stored it" }).click();
  return key ?? "";
}

test("sets up a project in the console and uses it through the public API", async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", ({ message }) => complaints.push(message));
  tab.on("console", (message) => {
    if (/Content.Security.Policy/iu.test(message.text()))
      complaints.push(message.text());
  });
  await tab.goto(ready.adminUrl);
  await tab.getByLabel("Name").fill("owner");
  await tab
    .getByLabel("Password")
    .fill(readFileSync(join(folder, "operator-token"), "utf8").trim());
  await tab.keyboard.press("Enter");

  await fillIn(tab, "New project", { Name: "Walk" }, "Create project");
  await tab.getByRole("heading", { name: "Walk" }).waitFor();
  const projectId = Number(new URL(tab.url()).pathname.split("/")[2]);

  const navigation = tab.getByRole("navigation", { name: "Project" });
  await navigation.getByRole("link", { name: "Keys" }).click();
  const accessKey = await makeKey(tab, "access key");
  const secret = await makeKey(tab, "secret key");
  const seen = openPublicProject(ready, accessKey, secret);
  // By default, a secret key can write.
  const remove = seen.client.indexer.removeWebhookListener.result;
  const removed = await remove({ id: "1", projectId: `${projectId}` });
  expect(removed).toMatchObject({ error: { name: "NotFound" } });

  await navigation.getByRole("link", { name: "Audiences" }).click();
  await fillIn(tab, "New audience", { Name: "Players" }, "Create audience");
  await tab.getByRole("heading", { name: "Players" }).waitFor();
  await tab.getByRole("button", { name: "Import CSV" }).click();
  const file = tab.getByLabel("File", { exact: true });
  const importButton = tab.getByRole("button", {
    name: "Import",
    exact: true,
  });
  const csv = (lines: readonly unknown[]) => ({
    name: "contacts.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["contactId", ...lines].join("\n")),
  });
  await file.setInputFiles(csv([1, "two", 3]));
  await importButton.click();
  await tab.getByText("Line 3:", { exact: true }).waitFor();
  await file.setInputFiles(
    csv(Array.from({ length: 10_000 }, (_, index) => index + 1)),
  );
  await importButton.click();
  await tab.getByRole("heading", { name: "10,000 contacts" }).waitFor();
  const { audiences } = await seen.client.builder.listAudiences({ projectId });
  expect(audiences).toMatchObject([{ name: "Players", contactCount: 10_000 }]);

  await navigation.getByRole("link", { name: "Gas" }).click();
  await fillIn(tab, "Fill a tank", {}, "Fill");
  await tab.getByText("Enter a decimal number above zero").waitFor();
  await tab.getByLabel(/^Amount in/u).fill("1.000000000000000001");
  await tab
    .getByRole("dialog")
    .getByRole("button", { name: "Fill", exact: true })
    .click();
  await tab.getByText("1.000000000000000001").first().waitFor();

  await tab.getByRole("button", { name: "Sponsor an address" }).click();
  const sponsor = tab.getByRole("dialog");
  await sponsor.getByLabel("Chain").selectOption(`${ready.chainId}`);
  const { wallet } = ready.fixtures;
  const send = sponsor.getByRole("button", { name: "Sponsor", exact: true });
  await sponsor.getByLabel("Address").fill(withWrongChecksum(wallet));
  await send.click();
  await sponsor.getByText("The checksum of the address is wrong").waitFor();
  await sponsor.getByLabel("Address").fill(wallet);
  await sponsor.getByLabel(/^Daily limit in/u).fill("0.5");
  await send.click();
  const sponsors = tab.getByRole("table", { name: "Sponsored addresses" });
  await sponsors.getByText("of 0.5 ").waitFor();
  await sponsors.getByRole("button", { name: /^Edit /u }).click();
  const edited = tab.getByRole("dialog");
  const limit = edited.getByLabel(/^Daily limit in/u);
  expect(await limit.inputValue()).toBe("0.5");
  await limit.fill("");
  await edited.getByRole("button", { name: "Save sponsor" }).click();
  await sponsors.getByText("no limit").waitFor();
  await tab
    .getByRole("table", { name: "Sponsored addresses" })
    .getByText("Active")
    .waitFor();
  await seen.relay();

  let isBroken = true;
  const received: string[] = [];
  const site = await openSiteForTest((request, response) => {
    if (!isBroken) received.push(String(request.headers["webhook-id"]));
    response.writeHead(isBroken ? 500 : 204).end();
  });
  await navigation.getByRole("link", { name: "Webhooks" }).click();
  const url = `${site.url}/hook`;
  await tab.getByRole("button", { name: "New listener" }).click();
  const listener = tab.getByRole("dialog");
  await listener.getByLabel("Chain").selectOption(`${ready.chainId}`);
  await listener.getByLabel("URL").fill(url);
  await listener.getByLabel("Events").fill("\nTransfer");
  await listener.getByRole("button", { name: "Create listener" }).click();
  await listener.getByText(/^Entry 1: /u).waitFor();
  await listener.getByLabel("Events").fill("Transfer(address,address,uint256)");
  await listener.getByRole("button", { name: "Create listener" }).click();
  await tab.getByRole("cell", { name: url }).waitFor();
  await seen.pay();
  await expect.poll(() => site.count()).toBeGreaterThan(0);
  await navigation.getByRole("link", { name: "Deliveries" }).click();
  const deliveries = tab.getByRole("table", { name: "Deliveries" });
  await expect
    .poll(
      async () => {
        await expireDeliveries(database);
        return deliveries.getByText("Dead", { exact: true }).count();
      },
      { interval: 500 },
    )
    .toBe(1);
  await deliveries.getByRole("link").first().click();
  await tab
    .getByRole("cell", { name: /responded with 500/u })
    .first()
    .waitFor();
  await tab.goBack();
  isBroken = false;
  await deliveries.getByRole("button", { name: "Replay" }).click();
  await deliveries.getByText("Delivered").waitFor();
  expect(received).toHaveLength(1);

  await tab.getByRole("link", { name: "Wallet links" }).click();
  const { address: parent } = createFixtureAccounts().user;
  const linked = `0x${"34".repeat(20)}`;
  await fillIn(
    tab,
    "New link",
    { "Parent address": parent, "Linked address": linked },
    "Create link",
  );
  await tab.getByTitle(parent).first().waitFor();
  // The dialog closes after the list has been read again. Until then, going back
  // asks whether to leave.
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await seen.listLinkedWallets()).toContain(linked);

  await tab.goBack();
  await navigation.getByRole("link", { name: "Keys" }).click();
  const keys = tab.getByRole("table", { name: "Access keys" });
  await keys.getByRole("button", { name: "Revoke" }).click();
  await tab
    .getByRole("alertdialog")
    .getByRole("button", { name: "Revoke" })
    .click();
  await keys.getByText("Revoked").waitFor();
  const refused = seen.client.builder.listAudiences.result({ projectId });
  expect(await refused).toMatchObject({ ok: false });

  await navigation.getByRole("link", { name: "Audit log" }).click();
  await tab.getByText("Keys/RevokeAccessKey").first().waitFor();

  const pages = [
    ["/", `a[href="/projects/${projectId}"]`],
    [`/projects/${projectId}/keys`, "table"],
    [`/projects/${projectId}/deliveries`, "select"],
  ] as const;
  for (const [path, selector] of pages) {
    const { href } = new URL(path, ready.adminUrl);
    const load = await measureLoad(browser, tab.context(), href, selector);
    console.log(`first load of ${path}, median of 5:`, load);
    expect(load?.sentBytes).toBeLessThan(170_000);
    expect(load?.bytes).toBeGreaterThan(300_000);
    // 1.5 s. The paint takes 2 to 3 s on busy cores, so it is only printed.
    expect(load?.threadMs).toBeLessThan(3000);
  }

  expect(complaints).toEqual([]);
});
