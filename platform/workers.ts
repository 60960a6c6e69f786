import type { Registry } from "prom-client";

import { openNotifications } from "./database/notifications.js";
import { startRetention } from "./database/retention.js";
import { measureFollowers } from "./follower/metrics.js";
import type { MasterKeys } from "./keys/master-secret.js";
import type { Platform } from "./parts/platform.js";
import type { Cleanup } from "./process/lifecycle/cleanup.js";
import type { Stoppable } from "./process/lifecycle/keep-running.js";
import { jobsChannel } from "./queue/enqueue.js";
import { measureQueues } from "./queue/metrics.js";
import { measureClock } from "./database/clock-offset.js";
import { measureRelays } from "./relaying/metrics.js";
import { startRelayWorker } from "./relaying/relay-worker.js";
import { createMoneyMetrics, watchMoney } from "./relaying/watch-money.js";
import { createIndexerMetrics } from "./services/indexer/metrics.js";
import { startIndexer } from "./services/indexer/start-indexer.js";
import { followOrders } from "./services/marketplace/book/follow-orders.js";
import { startRefreshWorker } from "./services/metadata/refresh-worker.js";

/** Dependencies of the workers other than the platform. */
export interface WorkerParts {
  readonly databaseUrl: string;
  readonly keys: MasterKeys;
  /** The registry of the workers' metrics. */
  readonly registry: Registry;
}

/** Starts all background workers. */
export function startWorkers(
  platform: Platform,
  { databaseUrl, keys, registry }: WorkerParts,
  cleanup: Cleanup,
): void {
  const { database, log } = platform;
  const notifications = openNotifications(databaseUrl, jobsChannel, log);
  cleanup.add("the notifications", notifications.stop);
  const add = (name: string, { stop }: Stoppable): void =>
    cleanup.addBeside(name, stop);
  measureQueues(registry, database);
  measureFollowers(registry, database, platform.networks);
  measureRelays(registry, database, platform.networks);
  measureClock(registry, database);
  add("the relay worker", startRelayWorker(platform, notifications));
  const money = createMoneyMetrics(registry);
  add("the checks of balances", watchMoney(platform, money));
  const metrics = createIndexerMetrics(registry);
  add("the indexer", startIndexer(platform, { keys, notifications, metrics }));
  add("the refresh worker", startRefreshWorker(platform, { notifications }));
  add("the retention", startRetention(platform));
  for (const network of platform.networks.all) {
    const orders = followOrders(platform, network);
    if (orders !== null) add(`the orders of ${network.handle}`, orders);
  }
}
