import { createServer } from "node:http";

import { toNodeHandler } from "@ridlkit/runtime/node";
import { describe, expect, onTestFinished, test } from "vitest";

import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import {
  TokenEvent,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import type { RunningPlatform } from "./running.js";

/** Tests the service on the `indexer` host, and its webhooks. */
export function testIndexer(running: () => RunningPlatform): void {
  describe("Indexer", () => {
    test("sends event notifications until the listener is removed", async () => {
      const { client, ready, user } = running();
      const { fixtures, projectId, webhookSecret } = ready;
      const received: WebhookNotification[] = [];
      const url = await receive(webhookSecret, (each) => received.push(each));
      const { listener } = await client.indexer.addWebhookListener({
        url,
        filters: {
          contractAddresses: [fixtures.dollar],
          events: [TokenEvent.ERC20_TRANSFER],
          accounts: [fixtures.other],
        },
      });
      const pay = (amount: bigint) =>
        user.writeContractSync({
          ...{ address: fixtures.dollar, abi: fixtureCoin.abi },
          ...{ functionName: "transfer", args: [fixtures.other, amount] },
        });
      const receipt = await pay(3n);
      await expect
        .poll(() => received)
        .toMatchObject([
          {
            type: "BLOCK_ADDED",
            txnHash: receipt.transactionHash,
            contractType: "ERC20",
            event: { names: ["from", "to", "value"] },
          },
        ]);
      await client.indexer.removeWebhookListener({
        id: listener.id,
        projectId: String(projectId),
      });
      await pay(4n);
      const readMetrics = async (): Promise<string> => {
        const response = await fetch(ready.metricsUrl);
        return response.text();
      };
      await expect
        .poll(readMetrics)
        .toContain(`indexer_lag_blocks{network="${ready.network}"} 0\n`);
      expect(received).toHaveLength(1);
      expect(await readMetrics()).toMatch(
        /^webhook_deliveries_total\{network="\w+",outcome="done"\} [1-9]/mu,
      );
    });
  });
}

/** Receives webhooks for the duration of the test. Output: the URL. */
async function receive(
  secret: string,
  onNotification: (notification: WebhookNotification) => void,
): Promise<string> {
  const receiver = createIndexerWebhookReceiver({
    secrets: [secret],
    handlers: { indexerWebhook: { notify: onNotification } },
  });
  const server = createServer(toNodeHandler(receiver));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : 0;
  return `http://127.0.0.1:${port}/webhooks`;
}
