import { join } from "node:path";

import { sql } from "kysely";
import { Registry } from "prom-client";
import { afterAll, expect, test } from "vitest";

import { backUp, restore } from "../../database/backup.js";
import { openDatabase } from "../../database/pool.js";
import {
  checkAccount,
  checkTanks,
  storeDaily,
} from "../../relaying/reconcile.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { createMoneyMetrics, watchMoney } from "../../relaying/watch-money.js";
import { createDataFolder } from "../start/start-platform.js";
import { costOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf, signCall } from "../support/relaying.js";
import {
  defaultSettings,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { testChainId } from "../support/start-chain.js";
import { createDatabase, silent } from "../support/test-database.js";

const opened = await openRelaying();
const { anvil, openSponsor, owner, startWorking } = opened;
const { networks } = opened.platform.platform;
const [network] = networks.all;
if (network === undefined) throw new Error("the network is missing");

// README.md: After an older backup was restored.
test("relaying continues after a restore, and counts what the backup does not know", async () => {
  const sponsor = await openSponsor();
  const { project, relay, settled, wallet } = sponsor;
  const stop = startWorking();
  await settled(await relayOf(relay(callOf(wallet))));
  await stop();
  const folder = createDataFolder();
  const path = join(folder, "backup.dump");
  await anvil.mine({ blocks: 64 });
  const first = await checkAccount(opened.database, defaultSettings, network);
  if (first === null) throw new Error("there is no relaying account");
  await storeDaily(opened.database, first);
  const pending = await relayOf(relay(callOf(wallet, { nonce: 1n })));
  await backUp(opened.url, path);

  // What the backup does not know.
  startWorking();
  const made = await settled(pending);
  const later = await settled(
    await relayOf(relay(callOf(wallet, { nonce: 2n }))),
  );
  const cost = (await costOf(owner, made)) + (await costOf(owner, later));

  const url = await createDatabase();
  await restore(url, path);
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  const restored = servePlatform(database, { networks: [network] });
  const settle = async (id: number): Promise<string> => {
    await settleRelay(
      { database, log: silent, settings: defaultSettings },
      network,
      id,
    );
    const { nonce_used: isUsed, state } = await database
      .selectFrom("relays")
      .select(["state", "nonce_used"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return isUsed ? `${state}, nonce used` : state;
  };
  expect(await settle(pending.id)).toBe("reverted, nonce used");
  const send = async (nonce: bigint) =>
    restored.call(
      "/rpc/Relaying/Relay",
      headersOf(project),
      await signCall(testChainId, callOf(wallet, { nonce })),
    );
  expect((await send(2n)).status).toBe(400);
  expect(await settle((await relayOf(send(3n))).id)).toBe("done");

  const check = async () => {
    await anvil.mine({ blocks: 64 });
    const found = await checkAccount(database, defaultSettings, network);
    if (found === null) throw new Error("there is no relaying account");
    return found;
  };
  expect(await check()).toMatchObject({
    ...{ foreign: 2, unknown: 0, difference: -cost, lost: cost },
  });
  const tanks = await checkTanks(database);
  expect(tanks.every(({ difference }) => difference === 0n)).toBe(true);

  // The platform starts a day after the last check in the backup.
  const age = (time: string) =>
    sql`
      update relay_account_checks
      set created_at = now() - ${time}::interval`.execute(database);
  await age("25 hours");
  const metrics = createMoneyMetrics(new Registry());
  const watch = watchMoney(restored.platform, metrics);
  const countChecks = async (): Promise<number> => {
    const { rows } = await sql`
      select from relay_account_checks`.execute(database);
    return rows.length;
  };
  await expect.poll(countChecks).toBe(2);
  await watch.stop();
  const lost = { foreign: 2, difference: 0n, lost: cost };
  expect(await check()).toMatchObject(lost);
  await age("8 days");
  expect(await check()).toMatchObject({ foreign: 0, lost: 0n });
});
