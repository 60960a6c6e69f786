import type { Notifications } from "../../database/notifications.js";
import { startFollower } from "../../follower/follower.js";
import { findFollowedChains } from "../../follower/progress.js";
import type { MasterKeys } from "../../keys/master-secret.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createFailureLog } from "../../process/failure-log.js";
import type { Stoppable } from "../../process/keep-running.js";
import { repeatUntilStopped } from "../../process/repeat-until-stopped.js";
import { startWorker } from "../../queue/worker.js";
import { createFindStandard } from "./contract-standard.js";
import {
  createDeliver,
  type RetrySchedule,
  defaultSchedule,
} from "./deliver.js";
import {
  createBlockIndexer,
  deliveryQueue,
  indexerFollower,
} from "./index-blocks.js";
import { createListenerIndex } from "./listener-index.js";
import type { IndexerMetrics } from "./metrics.js";
import { createSendWebhook } from "./send-webhook.js";

/** Dependencies of the indexer other than the platform. */
export interface IndexerOptions {
  readonly keys: Pick<MasterKeys, "webhooks">;
  readonly notifications: Notifications;
  readonly metrics: IndexerMetrics;
  readonly schedule?: RetrySchedule;
}

/** The maximum number of concurrent webhook deliveries. */
const concurrency = 32;

/**
 * The maximum number of concurrent webhook deliveries per project, so that one
 * project does not delay the others.
 */
const perLane = 8;

/**
 * The delay before another instance takes over a dead instance's deliveries.
 */
const leaseMs = 10_000;

/** The interval between checks for listeners on new chains. */
const checkIntervalMs = 500;

/**
 * Follows all chains with listeners and delivers their notifications. When
 * stopped, finishes the deliveries in progress.
 */
export function startIndexer(
  platform: Platform,
  options: IndexerOptions,
): Stoppable {
  const worker = startDeliveries(platform, options);
  const following = startFollowing(platform, options);
  return {
    ended: Promise.all([worker.ended, following.ended]).then(() => undefined),
    stop: async () => {
      // A chain that does not respond must not shorten the time of deliveries.
      await Promise.all([following.stop(), worker.stop()]);
    },
  };
}

function startDeliveries(
  { database, log, networks, outbound, settings }: Platform,
  { keys, metrics, notifications, schedule = defaultSchedule }: IndexerOptions,
): Stoppable {
  const handleOf = (chainId: number): string =>
    networks.find(String(chainId))?.handle ?? "";
  return startWorker({
    ...{ database, log, notifications, queue: deliveryQueue },
    ...{ concurrency, perLane, leaseMs, graceMs: settings.graceMs },
    keepsDone: true,
    handle: createDeliver({
      ...{ database, keys },
      send: createSendWebhook(outbound),
      schedule,
      onOutcome: (chainId, kind, delayMs) =>
        metrics.countDelivery(handleOf(chainId), kind, delayMs),
    }),
  });
}

/** Follows the embedded chain, and every other chain once it has a listener. */
function startFollowing(
  platform: Platform,
  { metrics }: IndexerOptions,
): Stoppable {
  const { database, log, networks, settings } = platform;
  const followers = new Map<Network, Stoppable>();
  const follow = (name: string): void => {
    const network = networks.find(name);
    if (network === null || followers.has(network)) return;
    followers.set(network, followNetwork(platform, network, metrics));
  };
  const failures = createFailureLog(log, "cannot read the followed chains");
  if (settings.embeddedChain !== null) follow(settings.embeddedChain);
  const { ended, stop } = repeatUntilStopped(checkIntervalMs, async () => {
    try {
      const chainIds = await findFollowedChains(database, indexerFollower);
      for (const id of chainIds) follow(String(id));
      failures.clear();
    } catch (error) {
      failures.note(error);
    }
  });
  return {
    ended,
    stop: async () => {
      await stop();
      await Promise.all([...followers.values()].map((each) => each.stop()));
    },
  };
}

function followNetwork(
  { database, log, settings }: Platform,
  network: Network,
  metrics: IndexerMetrics,
): Stoppable {
  const { chainId, handle } = network;
  metrics.startFollowing(handle);
  return startFollower({
    ...{ database, log, network, name: indexerFollower, firstBlock: null },
    consumer: createBlockIndexer({
      chainId,
      index: createListenerIndex(chainId),
      findStandard: createFindStandard(network),
      maxPerProject: settings.deliveriesPerProject,
      onRejected: (count) => metrics.countRejected(handle, count),
    }),
    onProgress: (lag) => metrics.setLag(handle, lag),
  });
}
