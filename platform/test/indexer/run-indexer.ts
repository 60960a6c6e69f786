import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { createTestClient, http, publicActions } from "viem";
import { afterAll, onTestFinished } from "vitest";

import { createIndexerClient } from "../../../generated/indexer/client.js";
import type { WebhookFilter } from "../../../generated/indexer/types.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { openNotifications } from "../../database/notifications.js";
import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks } from "../../network/networks.js";
import { createOutbound } from "../../outbound/outbound.js";
import { jobsChannel } from "../../queue/enqueue.js";
import { createIndexerMetrics } from "../../services/indexer/metrics.js";
import type { RetrySchedule } from "../../services/indexer/pauses.js";
import { startIndexer } from "../../services/indexer/start-indexer.js";
import { readWebhookSecret } from "../../services/indexer/webhook-secret.js";
import {
  createTestProject,
  defaultSettings,
  servePlatform,
  testKeys,
} from "../support/serve-platform.js";
import { startTestChain, testChainId } from "../support/start-chain.js";
import { createMigratedDatabase, silent } from "../support/test-database.js";
import { receiveWebhooks } from "./receive-webhooks.js";

/** Options that a test can override. */
export interface IndexerTestOptions {
  readonly allowPrivateTargets?: boolean;
  readonly schedule?: RetrySchedule;
  readonly deliveriesPerProject?: number;
  readonly listenerWorkPerBlock?: number;
  readonly log?: Logger;
  /** The node that the indexer queries instead of the chain. */
  readonly rpcUrl?: string;
  readonly registry?: Registry;
}

/** Starts a chain with fixtures. Output: the chain and actions on it. */
async function startIndexedChain() {
  const chain = await startTestChain();
  const { fixtures, rpcUrl } = chain;
  const { owner } = createFixtureAccounts();
  const wallet = openChainWallet(rpcUrl, testChainId, owner);
  const client = createTestClient({
    mode: "anvil",
    transport: http(rpcUrl),
  }).extend(publicActions);
  const network = {
    ...chain.network,
    follow: { pollMs: 250, headsUrl: rpcUrl.replace("http", "ws") },
  };
  const coin = { address: fixtures.gold, abi: fixtureCoin.abi } as const;
  const items = { address: fixtures.items, abi: fixtureItems.abi } as const;
  const collectible = {
    address: fixtures.collectible,
    abi: fixtureCollectible.abi,
  } as const;
  return {
    ...{ client, coin, collectible, fixtures, items, network, wallet },
    stop: chain.stop,
    /** Transfers an amount of gold. */
    pay: (amount: bigint) =>
      wallet.writeContractSync({
        ...coin,
        functionName: "transfer",
        args: [fixtures.other, amount],
      }),
  };
}

/** An indexed chain. */
type IndexedChain = Awaited<ReturnType<typeof startIndexedChain>>;

/** Starts an indexer that runs until the test ends. */
function runIndexer(
  database: Kysely<Tables>,
  databaseUrl: string,
  chain: IndexedChain,
  {
    log = silent,
    registry = new Registry(),
    rpcUrl,
    schedule,
    ...changes
  }: IndexerTestOptions = {},
) {
  const network = {
    ...chain.network,
    ...(rpcUrl !== undefined && { rpcUrls: [rpcUrl] }),
  };
  const { allowPrivateTargets = true } = changes;
  const settings = {
    ...defaultSettings,
    ...changes,
    ...{ networks: [network], allowPrivateTargets },
  };
  const outbound = createOutbound(allowPrivateTargets);
  const networks = createNetworks([network], openChainClient);
  const notifications = openNotifications(databaseUrl, jobsChannel, silent);
  const { signal: stopping } = new AbortController();
  const indexer = startIndexer(
    { settings, database, networks, outbound, log, stopping },
    {
      ...{ keys: testKeys, notifications },
      metrics: createIndexerMetrics(registry),
      ...(schedule !== undefined && { schedule }),
    },
  );
  const stop = async (): Promise<void> => {
    await indexer.stop();
    await notifications.stop();
    await outbound.close();
  };
  onTestFinished(stop);
  return { stop };
}

/** Opens a project that listens through the generated client. */
async function openProject(
  database: Kysely<Tables>,
  { network }: IndexedChain,
  { allowPrivateTargets = true }: IndexerTestOptions = {},
) {
  const platform = servePlatform(database, {
    networks: [network],
    allowPrivateTargets,
  });
  const project = await createTestProject(platform.store);
  const { accessKey, secret } = project;
  // Clean up, because the tests in a file share the chain and the database.
  onTestFinished(async () => {
    await database.deleteFrom("jobs").execute();
    await database
      .updateTable("webhook_listeners")
      .set({ deleted_at: new Date() })
      .where("deleted_at", "is", null)
      .execute();
  });
  const indexer = createIndexerClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey, secret },
    fetch: platform.fetch,
  });
  const listen = async (
    url: string,
    filters: Partial<WebhookFilter>,
  ): Promise<string> => {
    const whole = { contractAddresses: [], events: [], ...filters };
    const { listener } = await indexer.addWebhookListener({
      url,
      filters: whole,
    });
    return listener.id;
  };
  return {
    ...{ id: project.id, indexer, listen },
    webhookSecret: await readWebhookSecret(platform.store, project.id),
  };
}

/**
 * Sets up a chain and a database for the tests in one file, and indexers for
 * each test.
 */
export async function setUpIndexer() {
  const chain = await startIndexedChain();
  afterAll(() => chain.stop());
  const url = await createMigratedDatabase();
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  return {
    ...{ chain, database, ...indexOn(database, url, chain) },
    /**
     * Opens another database for the same chain. Its connections are closed
     * when the test ends.
     */
    openFresh: async () => {
      const freshUrl = await createMigratedDatabase();
      const { database: fresh } = openDatabase(freshUrl, silent);
      onTestFinished(() => fresh.destroy());
      return { database: fresh, ...indexOn(fresh, freshUrl, chain) };
    },
  };
}

function indexOn(
  database: Kysely<Tables>,
  databaseUrl: string,
  chain: IndexedChain,
) {
  const open = (options?: IndexerTestOptions) =>
    openProject(database, chain, options);
  return {
    open,
    run: (options?: IndexerTestOptions) =>
      runIndexer(database, databaseUrl, chain, options),
    /** Like `open`, with a receiver for its webhooks. */
    openWithReceiver: async () => {
      const project = await open();
      const receiver = await receiveWebhooks(project.webhookSecret);
      return { project, receiver };
    },
  };
}
