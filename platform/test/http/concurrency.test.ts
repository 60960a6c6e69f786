import { sql } from "kysely";
import { zeroAddress } from "viem";
import { expect, test } from "vitest";

import { countLockWaits, keepIdle } from "../support/count-lock-waits.js";
import { openSiteForTest } from "../support/local-site.js";

import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

const limits = { running: 1, runningPerCaller: 1, bodiesPerCaller: 10 };

test("queues concurrent requests above the limit, and answers all of them", async () => {
  const { call, store } = servePlatform(database, {
    concurrency: { ...limits, waiting: 10, waitMs: 20_000 },
  });
  const { id, ...keys } = await createTestProject(store);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const answers = await Promise.all(Array.from({ length: 8 }, list));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test("tells callers when to retry if the queue is full", async () => {
  const { call, store } = servePlatform(database, {
    concurrency: { ...limits, waiting: 0, waitMs: 0 },
  });
  const { id, ...keys } = await createTestProject(store);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const answers = await Promise.all(Array.from({ length: 8 }, list));
  const refused = answers.find(({ status }) => status === 503);
  expect(refused?.headers.get("retry-after")).toBe("1");
});

test("does not delay other projects when one reaches its limit", async () => {
  const { call, store } = servePlatform(database, {
    concurrency: { ...limits, running: 10, waiting: 0, waitMs: 0 },
  });
  const [busy, other] = [
    await createTestProject(store),
    await createTestProject(store),
  ];
  const list = ({ id, ...keys }: typeof busy) =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const calls = Array.from({ length: 8 }, () => list(busy));
  expect((await list(other)).status).toBe(200);
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test("keeps room for marketplace calls on other networks while a chain is slow", async () => {
  // This node never responds.
  const node = await openSiteForTest(() => undefined);
  const network = { nativeSymbol: "ETH", swap: null, marketplace: null };
  const { call, store } = servePlatform(database, {
    concurrency: { ...limits, waiting: 0, waitMs: 0 },
    networks: [
      { ...network, handle: "slow", chainId: 1, rpcUrls: [node.url] },
      { ...network, handle: "other", chainId: 2, rpcUrls: [] },
    ],
  });
  const checkOut = async (handle: string) => {
    const path = `/${handle}/rpc/Marketplace/CheckoutOptionsSalesContract`;
    const keys = await createTestProject(store);
    return call(path, headersOf(keys), {
      ...{ wallet: zeroAddress, contractAddress: zeroAddress },
      collectionAddress: zeroAddress,
      items: [{ tokenId: "1", quantity: "1" }],
    });
  };
  const slow = checkOut("slow");
  await expect.poll(() => node.count()).toBeGreaterThan(0);
  expect((await checkOut("other")).body).toMatchObject({
    error: "Unavailable",
  });
  expect((await slow).body).toMatchObject({ error: "Unavailable" });
});

test("keeps database connections for others while one project's calls wait for locks", async () => {
  const { call, store } = servePlatform(database);
  const [busy, other] = [
    await createTestProject(store),
    await createTestProject(store),
  ];
  const add = ({ id, ...keys }: typeof busy, nth: number) => {
    const network = nth % 2 === 0 ? "polygon" : "mainnet";
    const sponsor = { projectId: id, address: zeroAddress };
    const path = `/${network}/rpc/Relayer/AddGasSponsor`;
    return call(path, headersOf(keys), sponsor);
  };
  let waiting: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await keepIdle(transaction);
    await sql`select from projects where id = ${busy.id} for update`.execute(
      transaction,
    );
    const calls = Array.from({ length: 24 }, (_, nth) => add(busy, nth));
    await expect.poll(() => countLockWaits(database)).toBe(3);
    const { id, ...keys } = other;
    const message = { projectId: id };
    const list = () =>
      call("/rpc/Builder/ListAudiences", headersOf(keys), message);
    const answers = await Promise.all(Array.from({ length: 24 }, list));
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(await countLockWaits(database)).toBe(3);
    waiting = Promise.all(calls);
  });
  await waiting;
});
