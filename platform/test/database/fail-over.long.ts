import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import { openRelayer } from "../start/open-clients.js";
import {
  createDataFolder,
  makeDataFolder,
  type Ready,
  startProcess,
} from "../start/start-platform.js";
import { openMuteProxy } from "../support/mute-proxy.js";
import {
  execute,
  startReplica,
  startServer,
  type TestServer,
} from "../support/replica.js";
import { silent } from "../support/test-database.js";

/** Adds gas sponsors until it is stopped, and records what it gets. */
function addSponsors(ready: Ready) {
  const client = openRelayer(ready);
  const { projectId } = ready;
  const acknowledged: string[] = [];
  const errors = new Set<string>();
  let isOver = false;
  const add = async (): Promise<void> => {
    const address = `0x${randomBytes(20).toString("hex")}`;
    try {
      await client.addGasSponsor({ projectId, address });
      acknowledged.push(address);
    } catch (error) {
      errors.add(String(Object(error).name));
    }
    // Stay below the rate limit.
    await sleep(50);
  };
  const done = (async () => {
    while (!isOver) await add();
  })();
  return {
    acknowledged,
    errors,
    stop: () => {
      isOver = true;
      return done;
    },
  };
}

/** Kills a server, which restarts and is read-only from then on. */
async function killPrimary({ folder, url }: TestServer): Promise<void> {
  await execute(url, "alter system set default_transaction_read_only = on");
  const lock = join(folder, "database", "cluster", "postmaster.pid");
  process.kill(Number(readFileSync(lock, "utf8").split("\n")[0]), "SIGKILL");
}

test("loses no acknowledged write if the primary fails and its replica is promoted", async () => {
  const primary = await startServer(makeDataFolder());
  const replica = await startReplica(primary);
  const proxy = await openMuteProxy(primary.port);
  const through = new URL(primary.url);
  through.port = String(proxy.port);
  const environment = {
    DATABASE_URL: through.href,
    PLATFORM_SECRET: "a secret that all instances have",
  };
  const { ready } = await startProcess(createDataFolder(), environment);
  const readiness = async (): Promise<number> =>
    (await fetch(`${ready.baseUrl}/readyz`)).status;
  expect(await readiness()).toBe(200);
  const adding = addSponsors(ready);
  await expect.poll(() => adding.acknowledged.length).toBeGreaterThan(20);

  await killPrimary(primary);
  await execute(replica.url, "select pg_promote()");
  // The proxy still forwards to the former primary, which is read-only now.
  await expect.poll(() => [...adding.errors]).toEqual(["Unavailable"]);
  await expect.poll(readiness).toBe(503);
  const before = adding.acknowledged.length;

  const since = performance.now();
  proxy.setTarget(replica.port);
  await expect.poll(() => adding.acknowledged.length).toBeGreaterThan(before);
  expect(performance.now() - since).toBeLessThan(5000);
  await expect.poll(readiness).toBe(200);
  await adding.stop();
  expect([...adding.errors]).toEqual(["Unavailable"]);

  const { database } = openDatabase(replica.url, silent);
  onTestFinished(() => database.destroy());
  const stored = await database
    .selectFrom("gas_sponsors")
    .select("address")
    .execute();
  const addresses = new Set(stored.map(({ address }) => address));
  expect(adding.acknowledged.filter((each) => !addresses.has(each))).toEqual(
    [],
  );
});
