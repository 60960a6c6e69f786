import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { parseUnits } from "viem";
import { expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { signOrder } from "../../chain/seed-orders.js";
import type { Ready } from "../load/spawned-platform.js";
import { makeListing } from "../../seaport/make-order.js";
import { hashOrder, ItemType } from "../../seaport/order.js";
import { createDataFolder, startProcess } from "../start/start-platform.js";
import { expireDeliveries } from "../support/expire-deliveries.js";
import { openSiteForTest } from "../support/local-site.js";
import { openPublicProject } from "../support/public-project.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../support/test-database.js";

const databaseUrl = await createMigratedDatabase();
const database = await openTestDatabase(databaseUrl);
const { owner, user } = createFixtureAccounts();

/**
 * Mints a token and writes its signed listing to a file. Output: the order's
 * ID.
 */
async function writeOrder(ready: Ready, path: string): Promise<string> {
  const { chainId, chainUrl, fixtures } = ready;
  const tokenId = 1_000_001n;
  await openChainWallet(chainUrl, chainId, owner).writeContractSync({
    ...{ address: fixtures.collectible, abi: fixtureCollectible.abi },
    ...{ functionName: "mint", args: [user.address, tokenId] },
    throwOnReceiptRevert: true,
  });
  const parameters = makeListing({
    maker: user.address,
    item: {
      ...{ itemType: ItemType.Erc721, token: fixtures.collectible },
      ...{ tokenId, quantity: 1n },
    },
    ...{ currency: fixtures.dollar, price: parseUnits("10", 6) },
  });
  const wallet = openChainWallet(chainUrl, chainId, user);
  const signature = await signOrder(
    ...([wallet, fixtures.seaport, parameters, user] as const),
  );
  const text = JSON.stringify({ parameters, signature }, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  writeFileSync(path, `${text}\n`);
  return hashOrder(parameters, 0n);
}

test("sets up a project with commands, and shows it through the public API", async () => {
  const folder = createDataFolder();
  const { ready } = await startProcess(folder, {
    ALLOW_PRIVATE_TARGETS: "true",
    DATABASE_URL: databaseUrl,
  });
  const { chainId, fixtures, network } = ready;
  const run = async (...words: readonly (string | number)[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["dist/platform/admin/main.js", ...words.map(String)],
      { env: { ...process.env, DATA_FOLDER: folder } },
    );
    return stdout.trimEnd();
  };

  const project = await run("project", "create", "Walk");
  expect(await run("project", "list", "Walk")).toContain("Walk");
  const accessKey = await run("key", "create", project);
  const secret = await run("key", "create", project, "--secret");
  const seen = openPublicProject(ready, accessKey, secret);

  const audience = await run("audience", "create", project, "Players");
  const csv = join(folder, "contacts.csv");
  const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1);
  writeFileSync(csv, ["contactId", 1, "two", ...numbers].join("\n"));
  await expect(
    run("audience", "import", project, audience, csv),
  ).rejects.toMatchObject({ stderr: expect.stringContaining(`${csv}:3: `) });
  writeFileSync(csv, ["contactId", ...numbers].join("\n"));
  expect(await run("audience", "import", project, audience, csv)).toBe(
    "10000 added, 0 already known",
  );
  const projectId = Number(project);
  const { audiences } = await seen.client.builder.listAudiences({ projectId });
  expect(audiences).toMatchObject([{ name: "Players", contactCount: 10_000 }]);

  const place = [project, audience];
  expect(await run("contact", "remove", ...place, 7)).toBe("removed");
  const contacts = await run("contact", "list", ...place, "--all", "--json");
  expect(JSON.parse(contacts)).toHaveLength(9_999);
  expect(await run("contact", "add", ...place, 7)).toBe("added");

  const linked = `0x${"34".repeat(20)}`;
  await run("link", "add", user.address, linked);
  expect(await seen.listLinkedWallets()).toContain(linked);

  await run("tank", "fill", project, chainId, "1000000000000000000");
  const sponsor = await run(
    ...["sponsor", "add", project, chainId, fixtures.wallet, "Walk"],
  );
  expect(await run("sponsor", "pause", project, sponsor)).toBe("paused");
  await expect(seen.relay()).rejects.toThrow();
  const resumed = await run("sponsor", "resume", project, sponsor, "--json");
  expect(JSON.parse(resumed)).toMatchObject({ name: "Walk", active: true });
  await seen.relay();
  expect(await run("tank", "entries", project, chainId)).toMatch(/relay/iu);

  expect(JSON.parse(await run("forwarder", "show"))).toMatchObject({
    address: fixtures.forwarder,
  });

  let isBroken = true;
  const received: (string | undefined)[] = [];
  const site = await openSiteForTest((request, response) => {
    if (!isBroken) received.push(String(request.headers["webhook-id"]));
    response.writeHead(isBroken ? 500 : 204).end();
  });
  const event = "Transfer(address,address,uint256)";
  await run("listener", "add", project, chainId, `${site.url}/hook`, event);
  await seen.pay();
  await expect.poll(() => site.count()).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      await expireDeliveries(database);
      return run("webhook", "dead");
    })
    .toMatch(/ dead /u);
  const [, key = ""] = /\n(\S+)/u.exec(await run("webhook", "dead")) ?? [];
  expect(await run("webhook", "show", key)).toContain("responded with 500");
  isBroken = false;
  expect(await run("webhook", "replay", key)).toBe("1 sent again");
  await expect.poll(() => received).toHaveLength(1);

  const file = join(folder, "orders.jsonl");
  const orderId = await writeOrder(ready, file);
  expect(await run("order", "import", network, file)).toContain(
    "1 of 1 orders stored",
  );
  expect(
    JSON.parse(await run("order", "show", network, orderId)),
  ).toMatchObject({ parameters: { offerer: user.address } });

  expect(await run("key", "revoke", accessKey)).toBe("revoked");
  const refused = seen.client.builder.listAudiences.result({ projectId });
  expect(await refused).toMatchObject({ ok: false });
  expect(await run("usage", project)).toContain("ListAudiences");
  expect(JSON.parse(await run("usage", project, "--json"))).not.toHaveLength(0);
  await expect(run("key", "revoke")).rejects.toMatchObject({ code: 2 });
  expect(await run("action", "list")).toContain("RevokeKey");
});
