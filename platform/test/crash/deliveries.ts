import { toNodeHandler } from "@ridlkit/runtime/node";
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
import type { FailingPlatform } from "./crashing-platform.js";
import type { Ledger } from "./writers.js";

/** A receiver of transfer notifications. */
export interface Receiver {
  /** All notifications, including duplicates. */
  readonly received: readonly WebhookNotification[];
  stop(): Promise<void>;
}

/**
 * Starts a receiver that listens for gold transfers and is always available.
 */
export async function startReceiver(
  platform: FailingPlatform,
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

/**
 * Identifies a notification's event by its block, transaction, and log index.
 */
const placeOf = (each: WebhookNotification): string =>
  [each.blockHash, each.txnHash, each.txnLogIndex].join(" ");

/**
 * The block of an event, and the UIDs of the notifications that report its
 * addition and its removal.
 */
interface ReportedEvent {
  readonly blockHash: string;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

function countReported(
  received: readonly WebhookNotification[],
): ReadonlyMap<string, ReportedEvent> {
  const reported = new Map<string, ReportedEvent>();
  for (const each of received) {
    const known = reported.get(placeOf(each)) ?? {
      blockHash: each.blockHash,
      added: new Set(),
      removed: new Set(),
    };
    reported.set(placeOf(each), known);
    const isAdded = each.type === "BLOCK_ADDED";
    (isAdded ? known.added : known.removed).add(each.uid);
  }
  return reported;
}

/**
 * Checks that the listener was notified of each transfer on the chain and that
 * each removed transfer was retracted. Duplicates have the same UID unless
 * their block was removed in between: a chain that starts slowly can look
 * shorter for a while.
 */
export async function checkDeliveries(
  platform: FailingPlatform,
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
    there.push(`${receipt.blockHash} ${hash} 0`);
  }
  expect(there.length).toBeGreaterThan(0);
  const isOnChain = async (blockHash: string): Promise<boolean> => {
    if (!isHex(blockHash)) return false;
    const block = await chain.getBlock({ blockHash }).catch(() => null);
    return block !== null;
  };
  const findFaults = async (): Promise<readonly string[]> => {
    const reported = countReported(received);
    const faults = there.filter((place) => !reported.has(place));
    for (const [place, { blockHash, added, removed }] of reported) {
      const expected = (await isOnChain(blockHash)) ? 1 : 0;
      if (added.size - removed.size !== expected) faults.push(place);
    }
    return faults;
  };
  // Deliveries that were in progress when the platform was killed take longest.
  await expect.poll(findFaults, { timeout: 60_000, interval: 500 }).toEqual([]);
  const places = new Map(received.map((each) => [each.uid, placeOf(each)]));
  for (const each of received) {
    expect(places.get(each.uid)).toBe(placeOf(each));
  }
}
