import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import {
  addBlocks,
  startAt,
  LeaseLostError,
  takeLease,
} from "../../follower/progress.js";
import { openMuteProxy } from "../support/mute-proxy.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
  servePlatform,
} from "../support/serve-platform.js";
import {
  createDatabase,
  createMigratedDatabase,
  silent,
} from "../support/test-database.js";

test("reports an unresponsive database as Unavailable long before the time limits of queries", async () => {
  const url = new URL(await createMigratedDatabase());
  const proxy = await openMuteProxy(Number(url.port));
  url.port = String(proxy.port);
  const { database, count } = openDatabase(url.href, silent);
  onTestFinished(() => database.destroy());
  const platform = servePlatform(database);
  const { call, store } = platform;
  const { id: projectId, ...keys } = await createTestProject(store);
  const host = await hostPlatform(platform);
  const ask = () =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId });
  const readiness = async (): Promise<number> =>
    (await fetch(`${host.baseUrl}/readyz`)).status;
  expect([(await ask()).status, await readiness()]).toEqual([200, 200]);

  proxy.setMute(true);
  const since = performance.now();
  // Use more callers than there are connections.
  const answers = await Promise.all(Array.from({ length: 40 }, ask));
  expect(answers.map(({ body }) => body["cause"])).toEqual(
    Array(40).fill("the database does not respond"),
  );
  expect(await readiness()).toBe(503);
  // This takes 2 s on an idle machine, but 30 s without the circuit breaker.
  expect(performance.now() - since).toBeLessThan(10_000);

  proxy.setMute(false);
  await expect.poll(readiness).toBe(200);
  expect((await ask()).status).toBe(200);
  expect(count().waiting).toBe(0);
});

test("waits for a slow query", async () => {
  const { database } = openDatabase(await createDatabase(), silent);
  onTestFinished(() => database.destroy());
  const { rows } = await sql`select 1 as one from pg_sleep(3)`.execute(
    database,
  );
  expect(rows).toEqual([{ one: 1 }]);
});

test("hands a chain to another follower if its follower stalls in a transaction", async () => {
  const url = await createMigratedDatabase();
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  const place = { database, follower: "test", chainId: 1, leaseMs: 1 };
  const [first, second] = ["1", "2"].map((digit) => ({
    ...place,
    holder: `00000000-0000-0000-0000-00000000000${digit}`,
  }));
  if (first === undefined || second === undefined) throw new Error("two");
  await startAt(place, 1);
  await takeLease(first);
  let isAt: () => void = () => undefined;
  const atWork = new Promise<void>((resolve) => (isAt = resolve));
  let goOn: () => void = () => undefined;
  const stands = new Promise<void>((resolve) => (goOn = resolve));
  const consumer = {
    onBlocks: () => {
      isAt();
      return stands;
    },
    onBlocksRemoved: () => Promise.resolve(),
  };
  const add = () =>
    addBlocks(first, consumer, [
      {
        ...{ number: 1, hash: "0x1", parentHash: "0x0" },
        ...{ minedAt: new Date(), logs: [], isComplete: true },
      },
    ]);
  const adding = add();
  await atWork;
  // The first follower has locked the chain's row, but the second one does not
  // wait for the lock.
  expect(await takeLease(second)).toBeNull();
  await expect
    .poll(() => takeLease(second))
    .toMatchObject({ nextNumber: 1, tip: null });
  goOn();
  await expect(adding).rejects.toMatchObject({ name: "Unavailable" });
  await expect(add()).rejects.toThrow(LeaseLostError);
});

test("reports a call that waits too long for a lock as Unavailable, and limits idle transactions", async () => {
  const { database } = openDatabase(await createDatabase(), silent);
  onTestFinished(() => database.destroy());
  const lock = sql`select pg_advisory_xact_lock(1)`;
  const attempt = database.transaction().execute(async (holder) => {
    await lock.execute(holder);
    await database.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = 50`.execute(transaction);
      await lock.execute(transaction);
    });
  });
  await expect(attempt).rejects.toMatchObject({ name: "Unavailable" });
  const { rows } = await sql`
    select name, setting from pg_settings
    where name in ('lock_timeout', 'idle_in_transaction_session_timeout')
    order by name`.execute(database);
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "3000" },
    { name: "lock_timeout", setting: "5000" },
  ]);
});
