import type { Notifications } from "../../database/notifications.js";
import { startFollower } from "../../follower/follower.js";
import { groupBy } from "../../follower/group-by.js";
import type { MasterKeys } from "../../keys/master-secret.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import type { Stoppable } from "../../process/lifecycle/keep-running.js";
import type { LaneLimits } from "../../queue/lanes.js";
import { startWorker } from "../../queue/worker.js";
import { createFindStandards } from "./contract-standard.js";
import { createDeliver, defaultSchedule } from "./deliver.js";
import {
  createBlockIndexer,
  deliveryQueue,
  indexerFollower,
} from "./index-blocks.js";
import { followListeners } from "./follow-listeners.js";
import { createListenerIndex } from "./listener-index.js";
import type { IndexerMetrics } from "./metrics.js";
import type { RetrySchedule } from "./pauses.js";
import { createSendWebhook } from "./send-webhook.js";

/** Dependencies of the indexer other than the platform. */
export interface IndexerOptions {
  readonly keys: Pick<MasterKeys, "old" | "webhooks">;
  readonly notifications: Notifications;
  readonly metrics: IndexerMetrics;
  readonly schedule?: RetrySchedule;
  /**
   * How long a chain is still followed after its last listener has ended. The
   * default is ten minutes.
   */
  readonly idleMs?: number;
}

/**
 * The limits on concurrent webhook deliveries. There are many slots, because a
 * delivery mostly waits for its receiver.
 */
export const deliveryLimits: LaneLimits = {
  concurrency: 512,
  perLane: 8,
  reserved: 64,
};

/**
 * The delay before another instance takes over a dead instance's deliveries.
 */
const leaseMs = 10_000;

/** How long a chain is still followed after its last listener has ended. */
const idleMs = 10 * 60_000;

/**
 * Follows all chains with listeners and delivers their notifications. When
 * stopped, finishes the deliveries in progress.
 */
export function startIndexer(
  platform: Platform,
  options: IndexerOptions,
): Stoppable {
  const worker = startDeliveries(platform, options);
  const following = followListeners(platform, {
    idleMs,
    ...options,
    follow: (network) => followNetwork(platform, network, options.metrics),
  });
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
    ...{ ...deliveryLimits, leaseMs, graceMs: settings.graceMs },
    keepsDone: true,
    handle: createDeliver({
      ...{ database, keys, log },
      send: createSendWebhook(outbound),
      schedule,
      onStart: metrics.measureFailing,
      onOutcome: (chainId, kind, delayMs) =>
        metrics.countDelivery(handleOf(chainId), kind, delayMs),
    }),
  });
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
      findStandards: createFindStandards(network),
      work: {
        perProject: settings.listenerWorkPerBlock,
        maxItems: settings.listenersPerProject,
        total: settings.listenerWorkOfAllProjects,
      },
      onNotices: (notices) => {
        for (const [projectId, some] of groupBy(notices, (n) => n.projectId)) {
          const [first] = some;
          const { reason, type } = first?.notification ?? {};
          const listenerIds = some.map(({ listenerId }) => listenerId);
          const facts = { chainId, projectId, type, listenerIds, reason };
          log.warn(facts, "webhook listeners were not sent all events");
          metrics.countUnsent(handle, String(type), some.length);
        }
      },
      maxPerProject: settings.deliveriesPerProject,
      onRejected: (count) => metrics.countRejected(handle, count),
    }),
    onProgress: (lag) => metrics.setLag(handle, lag),
  });
}
