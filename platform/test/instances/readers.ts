import { setTimeout as sleep } from "node:timers/promises";

import { getAddress } from "viem";
import { expect } from "vitest";

import { forwarder } from "../../chain/artifacts/forwarder.js";
import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import type { Receiver } from "../crash/deliveries.js";
import type { Ledger } from "../crash/writers.js";
import { startTickClock } from "../support/tick-clock.js";
import type { Cluster } from "./cluster.js";

/** The results of all reads so far. */
export interface Reads {
  count: number;
  /** The longest time until a retrying client received a result. */
  slowestMs: number;
  /** Errors that a retrying client received. */
  readonly failures: string[];
}

/** Reads from the database, the chain, and both until it is stopped. */
export function startReading(cluster: Cluster) {
  const { fixtures, projectId, chainId } = cluster.ready();
  const { api, builder, marketplace, metadata } = cluster.client();
  const order = {
    contractAddress: fixtures.collectible,
    orderId: fixtures.listing,
  };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => builder.listAudiences({ projectId }),
    () => marketplace.getOrders({ input: [order] }),
    () =>
      metadata.getTokenMetadata({
        chainID: String(chainId),
        contractAddress: fixtures.collectible,
        tokenIDs: ["1"],
      }),
    () =>
      api.getSwapPrices({
        userAddress: fixtures.wallet,
        buyCurrencyAddress: fixtures.gold,
        buyAmount: "1000",
        chainId,
      }),
  ];
  const reads: Reads = { count: 0, slowestMs: 0, failures: [] };
  let isStopping = false;
  const clock = startTickClock();
  const repeat = async (call: () => Promise<unknown>): Promise<void> => {
    while (!isStopping) {
      const since = clock.now();
      try {
        await call();
        reads.count += 1;
        reads.slowestMs = Math.max(reads.slowestMs, clock.now() - since);
      } catch (error) {
        reads.failures.push(String(error));
      }
      await sleep(5);
    }
  };
  const all = Promise.all(calls.map(repeat));
  const stop = async (): Promise<void> => {
    isStopping = true;
    await all;
    clock.stop();
  };
  return { reads, stop };
}

/** News that take longer do not come. */
const maxNewsMs = 240_000;

/**
 * Waits until a new transfer is reported and some reads and writes have
 * completed. Output: the time until the notification arrived.
 *
 * Errors: Error with what has failed until then.
 */
export async function waitForNews(
  { failures, relays, sponsors, transfers }: Ledger,
  { received }: Receiver,
  reads: Reads,
): Promise<number> {
  const since = performance.now();
  const old = new Set<string>(transfers);
  const from = received.length;
  const isToldOfNew = (): boolean =>
    received
      .slice(from)
      .some(({ txnHash }) => !old.has(txnHash) && hasHash(transfers, txnHash));
  const wait = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      if (performance.now() - since > maxNewsMs) {
        const failed = [...failures, ...reads.failures];
        throw new Error(`no news of ${isDone.name}: ${failed.join("; ")}`);
      }
      await sleep(10);
    }
  };
  await wait(isToldOfNew);
  const tookMs = performance.now() - since;
  const counts = () => [reads.count, relays.size, sponsors.size];
  const before = counts();
  const isEnough = (): boolean =>
    counts().every((count, index) => count > (before[index] ?? 0));
  await wait(isEnough);
  return tookMs;
}

function hasHash(transfers: Ledger["transfers"], hash: string): boolean {
  return [...transfers].some((each) => each === hash);
}

/**
 * Checks that each relay ran once. Contracts count each wallet's calls.
 */
export async function checkCalls(cluster: Cluster): Promise<void> {
  const { chainId, chainUrl, fixtures } = cluster.ready();
  const { owner } = createFixtureAccounts();
  const chain = openChainWallet(chainUrl, chainId, owner);
  const wallets = await cluster.withDatabase((database) =>
    database
      .selectFrom("relays")
      .select((query) => [
        "wallet",
        "forwarder",
        query.fn.countAll<number>().as("count"),
      ])
      .where("state", "=", "done")
      .groupBy(["wallet", "forwarder"])
      .execute(),
  );
  expect(wallets.length).toBeGreaterThan(1);
  for (const { wallet, forwarder: via, count } of wallets) {
    const calls =
      via === null
        ? await chain.readContract({
            ...{ address: fixtures.wallet, abi: smartWallet.abi },
            functionName: "nonce",
          })
        : await chain.readContract({
            ...{ address: fixtures.forwarder, abi: forwarder.abi },
            ...{ functionName: "nonces", args: [getAddress(wallet)] },
          });
    expect(Number(calls), wallet).toBe(Number(count));
  }
}
