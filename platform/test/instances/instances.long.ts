import { setTimeout as sleep } from "node:timers/promises";

import { toNodeHandler } from "@ridlkit/runtime/node";
import { erc20Abi } from "viem";
import { expect, test } from "vitest";

import { createBuilderClient } from "../../../generated/api/client.js";
import { createIndexerClient } from "../../../generated/indexer/client.js";
import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import {
  TokenEvent,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import { createRelayerClient } from "../../../generated/relayer/client.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { openSiteForTest } from "../support/local-site.js";
import { createDatabase } from "../support/test-database.js";
import {
  createDataFolder,
  programsOf,
  type Ready,
  startProcess,
} from "../start/start-platform.js";

const open = ({ accessKey, baseUrl, secret }: Ready) => {
  const options = { baseUrl, credentials: { accessKey, secret } };
  return {
    ...createBuilderClient(options),
    ...createRelayerClient(options),
  };
};

/** Checks that each event is delivered exactly once. */
async function expectOneDeliveryEach(ready: Ready): Promise<void> {
  const { accessKey, chainId, chainUrl, fixtures, secret, services } = ready;
  const received: WebhookNotification[] = [];
  const server = createIndexerWebhookReceiver({
    secrets: [ready.webhookSecret],
    handlers: {
      indexerWebhook: {
        notify: (notification) => void received.push(notification),
      },
    },
  });
  const site = await openSiteForTest(toNodeHandler(server));
  const indexer = createIndexerClient({
    baseUrl: services.indexer,
    credentials: { accessKey, secret },
  });
  await indexer.addWebhookListener({
    url: site.url,
    filters: {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    },
  });
  const { user } = createFixtureAccounts();
  const chain = openChainWallet(chainUrl, chainId, user);
  const sent: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { transactionHash } = await chain.writeContractSync({
      ...{ address: fixtures.gold, abi: erc20Abi, functionName: "transfer" },
      args: [fixtures.other, 1n],
    });
    sent.push(transactionHash);
  }
  const hashes = (): readonly string[] =>
    received.map(({ txnHash }) => txnHash).sort();
  await expect.poll(() => hashes().length).toBeGreaterThanOrEqual(sent.length);
  // Any duplicate would have arrived by now.
  await sleep(500);
  expect(hashes()).toEqual([...sent].sort());
}

test("runs two instances on an external database", async () => {
  const shared = {
    DATABASE_URL: await createDatabase(),
    PLATFORM_SECRET: "a secret that both instances have",
    ALLOW_PRIVATE_TARGETS: "true",
  };
  const folder = createDataFolder();
  const first = await startProcess(folder, shared);
  const { chainUrl, fixtures, projectId } = first.ready;
  const other = createDataFolder();
  const second = await startProcess(other, {
    ...shared,
    CHAIN_URL: chainUrl,
  });
  // The second instance starts neither a database nor a chain.
  expect(programsOf(other)).toHaveLength(1);
  expect(second.ready).toMatchObject({
    ...{ projectId, fixtures, chainUrl },
    accessKey: first.ready.accessKey,
    secret: first.ready.secret,
  });
  const both = [open(first.ready), open(second.ready)];
  const place = { projectId, audienceId: fixtures.audience ?? 0 };
  // Remove the same contacts concurrently.
  await Promise.all(
    both.map((each) =>
      each.removeAudienceContacts({ ...place, contactIds: [1n, 2n] }),
    ),
  );
  const addresses = Array.from(
    { length: 8 },
    (_, index) => `0x${String(index).padStart(40, "0")}`,
  );
  const sponsors = await Promise.all(
    addresses.flatMap((address) =>
      both.map((each) => each.addGasSponsor({ projectId, address })),
    ),
  );
  const ids = sponsors.map(({ gasSponsor }) => gasSponsor.id);
  expect(new Set(ids).size).toBe(addresses.length);
  await expectOneDeliveryEach(second.ready);
  expect(await first.end("SIGKILL")).toBeNull();
  for (const each of both.slice(1)) {
    const { audiences } = await each.listAudiences({ projectId });
    expect(audiences).toMatchObject([{ contactCount: 2 }]);
  }
  expect(await second.end("SIGTERM")).toBe(0);
});
