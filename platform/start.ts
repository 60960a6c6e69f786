import { isRpcError } from "@ridlkit/runtime/errors";
import type { Logger } from "pino";
import { BaseError } from "viem";

import { createUseCounters, startFlushing } from "./activity/use-counters.js";
import { forgetConsole, noteConsole } from "./announce/console-file.js";
import { type EmbeddedChain, startEmbeddedChain } from "./chain/embedded.js";
import { deployFixtures, marketplaceOf, swapOf } from "./chain/fixtures.js";
import { isUnresponsive } from "./database/monitored-pool.js";
import { startEmbeddedDatabase } from "./database/embedded.js";
import { migrate } from "./database/migrate.js";
import { openDatabase } from "./database/pool.js";
import { createExplorerValues } from "./demo/explorer-values.js";
import {
  fillDemoProject,
  findFirstAudience,
} from "./demo/fill-demo-project.js";
import type { RunningConsole } from "./console/host.js";
import { startConsole } from "./console/start-console.js";
import { type RunningHost, serve } from "./http/host.js";
import { createMetrics, type Metrics } from "./http/metrics.js";
import { createObservation, withSpans } from "./http/observation.js";
import { createServers } from "./http/servers.js";
import { findOrMakeDemoProject } from "./keys/demo-project.js";
import { findKeys, requireSameSecret } from "./keys/find-keys.js";
import type { KeyStore } from "./keys/key-store.js";
import { openChainClient } from "./network/chain-client.js";
import { createNetworks, type Networks } from "./network/networks.js";
import { isRefusal } from "./network/read-chain.js";
import { createOutbound } from "./outbound/outbound.js";
import type { Platform } from "./parts/platform.js";
import type {
  OwnChain,
  RunningDemo,
  RunningPlatform,
} from "./parts/running-platform.js";
import { type Cleanup, createCleanup } from "./process/lifecycle/cleanup.js";
import { findFreePort } from "./process/programs/free-port.js";
import {
  type Supervised,
  keepRunning,
} from "./process/lifecycle/keep-running.js";
import { keepTrying } from "./process/lifecycle/keep-trying.js";
import { pause } from "./process/lifecycle/pause.js";
import { readWebhookSecret } from "./services/indexer/webhook-secret.js";
import { waitForOrder } from "./services/marketplace/book/follow-orders.js";
import type { Settings } from "./settings/read-settings.js";
import type { NetworkSettings } from "./settings/read-network.js";
import type { Tracing } from "./tracing/start-tracing.js";
import { startWorkers } from "./workers.js";

/** The interval at which the embedded chain is saved. */
const saveIntervalMs = 1000;

/**
 * Starts the platform with an embedded database and chain unless the settings
 * specify others. Waits for dependencies that do not respond yet.
 *
 * Input: aborting `signal` stops the wait.
 * Errors: Error if a part does not start. In that case, the other parts are
 * stopped.
 */
export async function startPlatform(
  settings: Settings,
  log: Logger,
  signal?: AbortSignal,
): Promise<RunningPlatform> {
  const cleanup = createCleanup(log);
  const stopping = new AbortController();
  const retry: Retry = (work) => keepTrying(work, { isPassing, log, signal });
  try {
    const tracing = await openTracing(settings, log, cleanup);
    // Start the database first, because it prevents two platforms from using
    // the same folder.
    const url = await findDatabase(settings, log, cleanup, signal);
    const pool = openDatabase(url, log);
    cleanup.add("the connections", () => pool.database.destroy());
    const { database } = pool;
    const keys = await retry(() => findKeys(database, settings));
    const ownChain = await connectChain(settings, log, retry, cleanup);
    const fixtures = ownChain?.fixtures ?? null;
    const networks = connectNetworks(settings, ownChain, log);
    const outbound = createOutbound(settings.allowPrivateTargets);
    cleanup.add("outbound requests", outbound.close);
    const parts = { settings, database, networks, outbound, log };
    const platform = { ...parts, stopping: stopping.signal };
    const ran = await retry(() => migrate(url));
    if (ran.length > 0) log.info({ migrations: ran }, "migrated");
    const store = { database, keys };
    await retry(() => requireSameSecret(store));
    const demo =
      ownChain && (await retry(() => findDemo(platform, store, ownChain)));
    if (settings.demo && ownChain === null) {
      log.warn("there is no demo project, because it needs `embeddedChain`");
    }
    const metrics = createMetrics(pool, networks);
    const { registry } = metrics;
    const counters = createUseCounters(database);
    cleanup.add("the counts", startFlushing(counters, log).stop);
    startWorkers(platform, { databaseUrl: url, keys, registry }, cleanup);
    const values = demo && createExplorerValues(settings, demo, ownChain);
    const plain = createObservation(log, metrics, counters);
    const observed = tracing ? withSpans(plain, tracing.telemetry) : plain;
    const rpc = createServers(platform, store, observed, counters, values);
    const host = await serve(rpc, platform, registry, settings);
    cleanup.addBeside("the host", () => host.close(settings.graceMs));
    const opened = await openConsole(platform, store, metrics);
    cleanup.addBeside("the console", () => opened.close(settings.graceMs));
    if (fixtures !== null) {
      await retry(() => waitForOrder(database, fixtures.offer));
    }
    const { baseUrl, metricsUrl } = host;
    const urls = { baseUrl, metricsUrl, adminUrl: opened.url };
    // URLs in lines end at their host.
    const { origin, pathname } = new URL(metricsUrl);
    const metricsAt = { metricsUrl: origin, metricsPath: pathname };
    log.info({ ...urls, ...metricsAt }, "started");
    const close = createClose(platform, host, cleanup, stopping);
    return { ...urls, platform, demo, ownChain, close };
  } catch (error) {
    stopping.abort();
    await cleanup.run();
    throw error;
  }
}

/** Creates the function that stops the platform. */
function createClose(
  { log, settings }: Platform,
  host: RunningHost,
  cleanup: Cleanup,
  stopping: AbortController,
): RunningPlatform["close"] {
  return async (isDrained = false) => {
    log.info("stopping");
    if (isDrained) {
      host.drain();
      await pause(settings.drainMs, new AbortController().signal);
    }
    stopping.abort();
    await cleanup.run();
    log.info("stopped");
  };
}

/** Retries while a database or a chain does not respond or is starting. */
type Retry = <Value>(work: () => Promise<Value>) => Promise<Value>;

function isPassing(error: unknown): boolean {
  const isSilent = error instanceof BaseError && !isRefusal(error);
  return isRpcError(error, "Unavailable") || isUnresponsive(error) || isSilent;
}

/** Finds or creates the demo project. Returns null if none is configured. */
async function findDemo(
  { settings }: Platform,
  store: KeyStore,
  { chainId, fixtures }: OwnChain,
): Promise<RunningDemo | null> {
  if (!settings.demo) return null;
  const demo = await findOrMakeDemoProject(store, (database, projectId) =>
    fillDemoProject(database, projectId, chainId, fixtures),
  );
  return {
    ...demo,
    webhookSecret: await readWebhookSecret(store, demo.id),
    audience: await findFirstAudience(store.database, demo.id),
  };
}

/** Starts tracing if the settings request it. Only then, its packages load. */
async function openTracing(
  { otlpEndpoint }: Settings,
  log: Logger,
  cleanup: Cleanup,
): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null;
  const { createSender, startTracing } =
    await import("./tracing/start-tracing.js");
  const tracing = startTracing(createSender(otlpEndpoint), log);
  cleanup.add("the traces", tracing.stop);
  return tracing;
}

/** Finds or starts the database. Returns its URL. */
async function findDatabase(
  { databaseUrl, dataFolder }: Settings,
  log: Logger,
  cleanup: Cleanup,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  const embedded = await startEmbeddedDatabase(dataFolder, log, { signal });
  cleanup.add("the database", embedded.stop);
  return embedded.url;
}

/**
 * Connects to the embedded chain, and starts it if necessary. Returns null if
 * no network uses it.
 */
async function connectChain(
  settings: Settings,
  log: Logger,
  retry: Retry,
  cleanup: Cleanup,
): Promise<OwnChain | null> {
  const { chainUrl, embeddedChain, networks } = settings;
  const network = networks.find(({ handle }) => handle === embeddedChain);
  if (network === undefined) return null;
  const { chainId } = network;
  if (chainUrl !== null) {
    const fixtures = await retry(() => deployFixtures(chainUrl, chainId));
    return { chainId, rpcUrl: chainUrl, fixtures };
  }
  const chain = await superviseChain(
    chainId,
    settings.dataFolder,
    log,
    cleanup,
  );
  const { rpcUrl } = chain.current();
  const fixtures = await deployFixtures(rpcUrl, chainId);
  // Save the chain, because the database is going to refer to its fixtures.
  await chain.current().save();
  return { chainId, rpcUrl, fixtures };
}

/** Starts the chain, and restarts it if it exits. */
async function superviseChain(
  chainId: number,
  folder: string,
  log: Logger,
  cleanup: Cleanup,
): Promise<Supervised<EmbeddedChain>> {
  // After a restart, the chain must have the same address.
  const port = await findFreePort();
  const start = (): Promise<EmbeddedChain> =>
    startEmbeddedChain({
      chainId,
      folder,
      saveEveryMs: saveIntervalMs,
      port,
      onError: (error) => log.error({ err: error }, "cannot save the chain"),
    });
  const chain = await keepRunning("the chain", log, start);
  cleanup.add("the chain", chain.stop);
  return chain;
}

function connectNetworks(
  settings: Settings,
  ownChain: OwnChain | null,
  log: Logger,
): Networks {
  const own = ownChain !== null && {
    rpcUrls: [ownChain.rpcUrl],
    swap: swapOf(ownChain.fixtures),
    marketplace: marketplaceOf(ownChain.fixtures),
    follow: {
      pollMs: 500,
      headsUrl: ownChain.rpcUrl.replace(/^http/u, "ws"),
    },
  };
  const networks = settings.networks.map((network) => ({
    ...network,
    ...(network.handle === settings.embeddedChain && own),
  }));
  const openClient = (network: NetworkSettings) =>
    openChainClient(network, { log });
  return createNetworks(networks, openClient);
}

/** Starts the console and records its URL for `npm run platform`. */
async function openConsole(
  platform: Platform,
  store: KeyStore,
  metrics: Metrics,
): Promise<RunningConsole> {
  const { dataFolder } = platform.settings;
  const observation = createObservation(platform.log, metrics);
  const opened = await startConsole(platform, store, observation);
  noteConsole(dataFolder, opened.url);
  return {
    url: opened.url,
    close: async (graceMs) => {
      forgetConsole(dataFolder, opened.url);
      await opened.close(graceMs);
    },
  };
}
