import { zeroAddress } from "viem";
import { expect, test } from "vitest";

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
