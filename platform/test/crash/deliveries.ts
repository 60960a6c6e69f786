import { toNodeHandler } from "ridlkit/runtime/node";
import { isHex } from "viem";
import { expect } from "vitest";

import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import {
  TokenEvent,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { openSite } from "../support/local-site.js";
import type { CrashingPlatform } from "./crashing-platform.js";
import type { Ledger } from "./writers.js";

/** Whoever is told of transfers. */
export interface Receiver {
  /** What came, as often as it came. */
  readonly received: readonly WebhookNotification[];
  stop(): Promise<void>;
}

/** Listens to transfers of gold, and is never away itself. */
export async function startReceiver(
  platform: CrashingPlatform,
): Promise<Receiver> {
  const received: WebhookNotification[] = [];
  const { fixtures, webhookSecret } = platform.ready();
  const server = createIndexerWebhookReceiver({
    secrets: [webhookSecret],
    handlers: {
      indexerWebhook: {
        notify: (notification) => void received.push(notification),
      },
    },
  });
  const site = await openSite(toNodeHandler(server));
  await platform.client().indexer.addWebhookListener({
    url: site.url,
    filters: {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    },
  });
  return { received, stop: site.close };
}

const logOf = (each: WebhookNotification): string =>
  [each.type, each.blockHash, each.txnHash, each.txnLogIndex].join(" ");

/**
 * Each transfer that is on the chain has been told of, and each that is not any
 * more has been taken back; what was told twice has the same number.
 */
export async function checkDeliveries(
  platform: CrashingPlatform,
  { transfers }: Ledger,
  { received }: Receiver,
): Promise<void> {
  const { chainId, chainUrl } = platform.ready();
  const { owner } = createFixtureAccounts();
  const chain = openChainWallet(chainUrl, chainId, owner);
  const there: string[] = [];
  for (const hash of transfers) {
    const receipt = await chain
      .getTransactionReceipt({ hash })
      .catch(() => null);
    if (receipt === null) continue;
    there.push(`BLOCK_ADDED ${receipt.blockHash} ${hash} 0`);
  }
  expect(there.length).toBeGreaterThan(0);
  const isOnChain = async (blockHash: string): Promise<boolean> => {
    if (!isHex(blockHash)) return false;
    const block = await chain.getBlock({ blockHash }).catch(() => null);
    return block !== null;
  };
  const findMissing = async (): Promise<readonly string[]> => {
    const told = new Set(received.map(logOf));
    const missing = there.filter((log) => !told.has(log));
    for (const each of received) {
      if (each.type !== "BLOCK_ADDED") continue;
      const removal = logOf({ ...each, type: "BLOCK_REMOVED" });
      if (told.has(removal) || (await isOnChain(each.blockHash))) continue;
      missing.push(removal);
    }
    return missing;
  };
  // Those that were on their way when the platform was killed take longest.
  await expect
    .poll(findMissing, { timeout: 60_000, interval: 500 })
    .toEqual([]);
  const logs = new Map(received.map((each) => [each.uid, logOf(each)]));
  expect(new Set(logs.values()).size).toBe(logs.size);
  for (const each of received) expect(logs.get(each.uid)).toBe(logOf(each));
}
