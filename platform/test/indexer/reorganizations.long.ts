import { expect, test } from "vitest";

import {
  TokenEvent,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import { startAt } from "../../follower/progress.js";
import { indexerFollower } from "../../services/indexer/index-blocks.js";
import { reorganize, testChainId } from "../support/start-chain.js";
import { setUpIndexer } from "./run-indexer.js";

const indexer = await setUpIndexer();
const { chain, openFresh } = indexer;
const { client, coin } = chain;

/** Listens for gold transfers. */
async function listen({
  openWithReceiver,
}: Pick<typeof indexer, "openWithReceiver">) {
  const { project, receiver } = await openWithReceiver();
  await project.listen(receiver.url, {
    contractAddresses: [coin.address],
    events: [TokenEvent.ERC20_TRANSFER],
  });
  return receiver.received;
}

/** Returns the reported events that were not retracted, without their UIDs. */
function countReported(
  received: readonly WebhookNotification[],
): readonly Partial<WebhookNotification>[] {
  const counts = new Map<string, number>();
  for (const { uid: _, type, ...facts } of received) {
    const key = JSON.stringify(facts);
    const change = type === "BLOCK_ADDED" ? 1 : -1;
    counts.set(key, (counts.get(key) ?? 0) + change);
  }
  for (const count of counts.values()) expect([0, 1]).toContain(count);
  return [...counts]
    .filter(([, count]) => count === 1)
    .map(([key]) => key)
    .sort()
    .map((key) => JSON.parse(key));
}

test.each([1, 10, 300])(
  "sends listeners the same events after a reorganization as after a fresh start (blocks: %i)",
  async (depth) => {
    indexer.run();
    const last = await client.getBlockNumber({ cacheTime: 0 });
    const firstBlock = Number(last) + 1;
    const received = await listen(indexer);
    await chain.pay(1n);
    await expect.poll(() => received).toHaveLength(1);
    // Blocks to drop, with a transfer in the first and in the last one.
    await chain.pay(2n);
    if (depth > 2) await client.mine({ blocks: depth - 2 });
    if (depth > 1) await chain.pay(3n);
    const toldBefore = depth > 1 ? 3 : 2;
    await expect.poll(() => received).toHaveLength(toldBefore);
    await reorganize(client, depth);
    await chain.pay(4n);
    await expect.poll(() => received).toHaveLength(2 * toldBefore);
    const told = countReported(received);
    expect(told).toHaveLength(2);

    const fresh = await openFresh();
    const place = { follower: indexerFollower, chainId: testChainId };
    await startAt({ ...place, database: fresh.database }, firstBlock);
    // Without a start position, the fresh indexer would notify its first
    // listener only of later events.
    const freshlyReceived = await listen(fresh);
    fresh.run();
    await expect.poll(() => freshlyReceived).toHaveLength(2);
    expect(countReported(freshlyReceived)).toEqual(told);
  },
);
